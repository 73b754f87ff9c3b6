#include "microbench/cuda/gemm.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>

#include <fmt/format.h>

namespace tofn::bench {
namespace {

using MatrixLayout = Handle<cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy>;
using Description = Handle<cublasLtMatmulDesc_t, cublasLtMatmulDescDestroy>;
using Preference = Handle<cublasLtMatmulPreference_t, cublasLtMatmulPreferenceDestroy>;

// Twice the size that cuBLAS's documentation recommends for Hopper.
constexpr std::size_t workspace_bytes = std::size_t{64} << 20;

constexpr std::array types{
    GemmType{.name = "fp32"},
    GemmType{.name = "tf32", .compute = CUBLAS_COMPUTE_32F_FAST_TF32, .least_capability = 80},
    GemmType{.name = "fp16",
             .operand = CUDA_R_16F,
             .result = CUDA_R_16F,
             .operand_bytes = 2,
             .result_bytes = 2,
             .least_capability = 70},
    GemmType{.name = "bf16",
             .operand = CUDA_R_16BF,
             .result = CUDA_R_16BF,
             .operand_bytes = 2,
             .result_bytes = 2,
             .least_capability = 80},
    GemmType{.name = "fp8_e4m3",
             .operand = CUDA_R_8F_E4M3,
             .result = CUDA_R_16BF,
             .operand_bytes = 1,
             .result_bytes = 2,
             .least_capability = 89},
};

void check_cublas(cublasStatus_t status, const char* call) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string(call) + ": " + cublasLtGetStatusString(status));
}

cublasLtHandle_t created_library() {
  cublasLtHandle_t library = nullptr;
  check_cublas(cublasLtCreate(&library), "cublasLtCreate");
  return library;
}

/// Layout of a matrix for cuBLASLt, whose matrices are column-major: rows x columns stored row by
/// row is a columns x rows matrix for it, with a leading dimension of `columns`.
MatrixLayout layout(cudaDataType_t type, int rows, int columns) {
  cublasLtMatrixLayout_t made = nullptr;
  check_cublas(cublasLtMatrixLayoutCreate(&made, type, static_cast<std::uint64_t>(columns),
                                          static_cast<std::uint64_t>(rows), columns),
               "cublasLtMatrixLayoutCreate");
  return MatrixLayout(made);
}

template <class Value>
void set(const Description& description, cublasLtMatmulDescAttributes_t attribute, Value value) {
  check_cublas(cublasLtMatmulDescSetAttribute(description.get(), attribute, &value, sizeof value),
               "cublasLtMatmulDescSetAttribute");
}

template <class Value>
void set(const Preference& preference, cublasLtMatmulPreferenceAttributes_t attribute,
         Value value) {
  check_cublas(
      cublasLtMatmulPreferenceSetAttribute(preference.get(), attribute, &value, sizeof value),
      "cublasLtMatmulPreferenceSetAttribute");
}

/// Description of a product for cuBLASLt, which computes the transpose: (op(a) op(b))' is op(b)'
/// op(a)'. Reading a and b as column-major transposes them already. So b comes first, and is
/// transposed if it is transposed in the row-major product.
Description description_of(const Product& product, const GemmType& type) {
  cublasLtMatmulDesc_t made = nullptr;
  check_cublas(cublasLtMatmulDescCreate(&made, type.compute, CUDA_R_32F),
               "cublasLtMatmulDescCreate");
  Description description(made);
  set(description, CUBLASLT_MATMUL_DESC_TRANSA, product.transposes_b ? CUBLAS_OP_T : CUBLAS_OP_N);
  set(description, CUBLASLT_MATMUL_DESC_TRANSB, product.transposes_a ? CUBLAS_OP_T : CUBLAS_OP_N);
  // As in training (NVIDIA's Transformer Engine), which sums gradients of weights more precisely.
  if (type.operand_bytes == 1 && !product.has_fp32_result)
    set(description, CUBLASLT_MATMUL_DESC_FAST_ACCUM, std::int8_t{1});
  return description;
}

/// The power of 2 to which the address is aligned, up to the 256 that cuBLASLt uses.
std::uint32_t alignment_of(const std::byte* pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  return static_cast<std::uint32_t>(std::min<std::uintptr_t>(address & (~address + 1), 256));
}

Preference preference_for(const Product& product) {
  cublasLtMatmulPreference_t made = nullptr;
  check_cublas(cublasLtMatmulPreferenceCreate(&made), "cublasLtMatmulPreferenceCreate");
  Preference preference(made);
  set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, std::uint64_t{workspace_bytes});
  set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignment_of(product.b));
  set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignment_of(product.a));
  set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignment_of(product.c));
  set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignment_of(product.c));
  return preference;
}

class Gemm : public PreparedKernel {
 public:
  Gemm(cublasLtHandle_t library, std::byte* workspace, cudaStream_t stream, const Product& product)
      : library_(library),
        workspace_(workspace),
        stream_(stream),
        product_(product),
        type_(gemm_type(product.type)),
        description_(description_of(product, type_)),
        a_(product.transposes_a ? layout(type_.operand, product.k, product.m)
                                : layout(type_.operand, product.m, product.k)),
        b_(product.transposes_b ? layout(type_.operand, product.n, product.k)
                                : layout(type_.operand, product.k, product.n)),
        c_(layout(product.has_fp32_result ? CUDA_R_32F : type_.result, product.m, product.n)),
        algorithm_(chosen_algorithm()) {}

  void enqueue() override {
    const float alpha = 1;
    const float beta = product_.accumulates ? 1 : 0;
    check_cublas(cublasLtMatmul(library_, description_.get(), &alpha, product_.b, b_.get(),
                                product_.a, a_.get(), &beta, product_.c, c_.get(), product_.c,
                                c_.get(), &algorithm_, workspace_, workspace_bytes, stream_),
                 "cublasLtMatmul");
  }

 private:
  cublasLtMatmulAlgo_t chosen_algorithm() const {
    const Preference preference = preference_for(product_);
    cublasLtMatmulHeuristicResult_t best{};
    int found = 0;
    cublasStatus_t status =
        cublasLtMatmulAlgoGetHeuristic(library_, description_.get(), b_.get(), a_.get(), c_.get(),
                                       c_.get(), preference.get(), 1, &best, &found);
    if (status == CUBLAS_STATUS_SUCCESS)
      status = found == 0 ? CUBLAS_STATUS_NOT_SUPPORTED : best.state;
    if (status != CUBLAS_STATUS_SUCCESS)
      throw std::runtime_error(fmt::format("cuBLASLt has no {} kernel for m {}, n {}, k {}: {}",
                                           type_.name, product_.m, product_.n, product_.k,
                                           cublasLtGetStatusString(status)));
    return best.algo;
  }

  cublasLtHandle_t library_;
  std::byte* workspace_;
  cudaStream_t stream_;
  Product product_;
  const GemmType& type_;
  Description description_;
  MatrixLayout a_;
  MatrixLayout b_;
  MatrixLayout c_;
  cublasLtMatmulAlgo_t algorithm_;
};

}  // namespace

std::span<const GemmType> gemm_types() { return types; }

const GemmType& gemm_type(std::string_view name) {
  for (const GemmType& type : types)
    if (type.name == name) return type;
  throw std::runtime_error("cuBLASLt: no GEMM of type " + std::string(name));
}

std::string gemm_library() {
  const std::size_t version = cublasLtGetVersion();
  return fmt::format("cuBLASLt {}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

GemmMaker::GemmMaker(cudaStream_t stream)
    : library_(created_library()), workspace_(workspace_bytes), stream_(stream) {}

std::unique_ptr<PreparedKernel> GemmMaker::kernel(const Product& product) {
  if (product.type == "fp8_e4m3" && (product.transposes_a || !product.transposes_b))
    throw std::runtime_error(
        "cuBLASLt multiplies fp8 only with b transposed and a not (its TN layout)");
  return std::make_unique<Gemm>(library_.get(), workspace_.data(), stream_, product);
}

}  // namespace tofn::bench
