// Emulates cuBLASLt: products of column-major matrices, accumulated in fp32.
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include <cublasLt.h>

#include "tests/standin/library/element_value.hpp"
#include "tests/standin/library/fault.hpp"
#include "tests/standin/library/gpu.hpp"
#include "tests/standin/library/refusal_by_name.hpp"
#include "tests/standin/library/thread_error.hpp"

namespace tofn::standin {
namespace {

struct Layout {
  cudaDataType_t type;
  std::size_t rows;
  std::size_t columns;
  std::size_t leading;  // elements between columns

  std::size_t bytes() const { return ((columns - 1) * leading + rows) * bytes_of(type); }
};

struct Description {
  cublasComputeType_t compute;
  bool transposes_a = false;
  bool transposes_b = false;
};

template <class Known, class Opaque>
Known& known(Opaque* opaque) {
  return *reinterpret_cast<Known*>(opaque);
}

/// Elements of op(matrix) in fp32, column by column without gaps. TF32 keeps 10 bits of a fraction.
std::vector<float> numbers(Gpu& gpu, const void* from, const Layout& layout, bool is_transposed,
                           bool is_tf32) {
  const std::byte* bytes = gpu.at(from, layout.bytes());
  std::vector<float> column(layout.rows);
  std::vector<float> all(layout.rows * layout.columns);
  for (std::size_t j = 0; j < layout.columns; ++j) {
    decode(layout.type, bytes + j * layout.leading * bytes_of(layout.type), column.data(),
           layout.rows);
    for (std::size_t i = 0; i < layout.rows; ++i)
      all[is_transposed ? i * layout.columns + j : j * layout.rows + i] = column[i];
  }
  if (is_tf32)
    for (float& each : all)
      each = std::bit_cast<float>((std::bit_cast<std::uint32_t>(each) + 0x1000U) & 0xffffe000U);
  return all;
}

struct Multiplication {
  Description description;
  Layout a;
  Layout b;
  Layout d;
  const void* a_from;
  const void* b_from;
  void* to;
  float alpha;
  float beta;

  void operator()(Gpu& gpu) const {
    const bool is_tf32 = description.compute == CUBLAS_COMPUTE_32F_FAST_TF32;
    const auto left = numbers(gpu, a_from, a, description.transposes_a, is_tf32);
    const auto right = numbers(gpu, b_from, b, description.transposes_b, is_tf32);
    const std::size_t inner = left.size() / d.rows;
    std::byte* result = gpu.at(to, d.bytes());
    std::vector<float> sums(d.rows);
    std::vector<float> before(d.rows);
    for (std::size_t j = 0; j < d.columns; ++j) {
      sums.assign(d.rows, 0);
      for (std::size_t l = 0; l < inner; ++l) {
        const float factor = alpha * right[j * inner + l];
        const float* column = left.data() + l * d.rows;
        for (std::size_t i = 0; i < d.rows; ++i) sums[i] += factor * column[i];
      }
      std::byte* place = result + j * d.leading * bytes_of(d.type);
      if (beta != 0) {
        decode(d.type, place, before.data(), d.rows);
        for (std::size_t i = 0; i < d.rows; ++i) sums[i] += beta * before[i];
      }
      encode(d.type, sums.data(), place, d.rows);
    }
  }
};

bool agree(const Description& description, const Layout& a, const Layout& b, const Layout& d) {
  const std::size_t rows = description.transposes_a ? a.columns : a.rows;
  const std::size_t inner = description.transposes_a ? a.rows : a.columns;
  const std::size_t inner_b = description.transposes_b ? b.columns : b.rows;
  const std::size_t columns = description.transposes_b ? b.rows : b.columns;
  return rows == d.rows && columns == d.columns && inner == inner_b;
}

/// True if cuBLASLt supports the product. fp8 has one layout, and dimensions in multiples of 16
/// (cuBLAS's documentation, "8-bit floating point data types usage").
bool is_supported(const Description& description, const Layout& a, const Layout& b,
                  const Layout& d) {
  if (!agree(description, a, b, d)) return false;
  for (const Layout* each : {&a, &b, &d})
    if (!is_known_type(each->type) || each->leading < each->rows) return false;
  if (bytes_of(a.type) != 1 && bytes_of(b.type) != 1) return true;
  for (const Layout* each : {&a, &b, &d})
    if (each->rows % 16 != 0 || each->columns % 16 != 0) return false;
  return description.transposes_a && !description.transposes_b && d.type != a.type;
}

}  // namespace
}  // namespace tofn::standin

using namespace tofn::standin;

extern "C" {

std::size_t cublasLtGetVersion() { return CUBLAS_VERSION; }

const char* cublasLtGetStatusString(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS:
      return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_EXECUTION_FAILED:
      return "CUBLAS_STATUS_EXECUTION_FAILED";
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return "CUBLAS_STATUS_NOT_SUPPORTED";
    default:
      return "CUBLAS_STATUS_INTERNAL_ERROR";
  }
}

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  if (gpu_count() == 0) return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = reinterpret_cast<cublasLtHandle_t>(&current_gpu());
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t) { return CUBLAS_STATUS_SUCCESS; }

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type,
                                          std::uint64_t rows, std::uint64_t columns,
                                          std::int64_t leading) {
  if (rows == 0 || columns == 0 || leading < 1) return CUBLAS_STATUS_INVALID_VALUE;
  *layout = reinterpret_cast<cublasLtMatrixLayout_t>(
      new Layout{type, rows, columns, static_cast<std::size_t>(leading)});
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  delete &known<Layout>(layout);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* description,
                                        cublasComputeType_t compute, cudaDataType_t scale) {
  if (scale != CUDA_R_32F ||
      (compute != CUBLAS_COMPUTE_32F && compute != CUBLAS_COMPUTE_32F_FAST_TF32))
    refuse("cublasLtMatmulDescCreate", "only sums in fp32 are emulated");
  *description = reinterpret_cast<cublasLtMatmulDesc_t>(new Description{.compute = compute});
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t description) {
  delete &known<Description>(description);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t opaque,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void* value, std::size_t bytes) {
  auto& description = known<Description>(opaque);
  cublasOperation_t operation = CUBLAS_OP_N;
  switch (attribute) {
    case CUBLASLT_MATMUL_DESC_TRANSA:
    case CUBLASLT_MATMUL_DESC_TRANSB:
      if (bytes != sizeof operation) return CUBLAS_STATUS_INVALID_VALUE;
      std::memcpy(&operation, value, bytes);
      (attribute == CUBLASLT_MATMUL_DESC_TRANSA ? description.transposes_a
                                                : description.transposes_b) =
          operation == CUBLAS_OP_T;
      return CUBLAS_STATUS_SUCCESS;
    case CUBLASLT_MATMUL_DESC_FAST_ACCUM:  // trades precision only
      return bytes == 1 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
    default:
      refuse("cublasLtMatmulDescSetAttribute", "attribute " + std::to_string(attribute));
  }
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  *preference = reinterpret_cast<cublasLtMatmulPreference_t>(new int);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  delete &known<int>(preference);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t,
                                                    cublasLtMatmulPreferenceAttributes_t,
                                                    const void*, std::size_t) {
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t description,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t /*c*/,
                                              cublasLtMatrixLayout_t d, cublasLtMatmulPreference_t,
                                              int requested,
                                              cublasLtMatmulHeuristicResult_t* results,
                                              int* found) {
  *found = 0;
  if (requested < 1) return CUBLAS_STATUS_INVALID_VALUE;
  if (!is_supported(known<Description>(description), known<Layout>(a), known<Layout>(b),
                    known<Layout>(d)))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (strikes(Fault::NoAlgorithm, current_gpu().number())) return CUBLAS_STATUS_SUCCESS;
  results[0] = {};
  results[0].state = CUBLAS_STATUS_SUCCESS;
  *found = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t description,
                              const void* alpha, const void* a, cublasLtMatrixLayout_t a_layout,
                              const void* b, cublasLtMatrixLayout_t b_layout, const void* beta,
                              const void* c, cublasLtMatrixLayout_t, void* d,
                              cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t*,
                              void* workspace, std::size_t workspace_bytes, cudaStream_t stream) {
  Queue* queue = nullptr;
  if (find(stream, queue) != cudaSuccess) return CUBLAS_STATUS_INVALID_VALUE;
  if (&queue->gpu != &known<Gpu>(handle)) return CUBLAS_STATUS_INVALID_VALUE;
  if (c != d) refuse("cublasLtMatmul", "a result apart from what is added to it is not emulated");
  const Multiplication multiplication{known<Description>(description),
                                      known<Layout>(a_layout),
                                      known<Layout>(b_layout),
                                      known<Layout>(d_layout),
                                      a,
                                      b,
                                      d,
                                      *static_cast<const float*>(alpha),
                                      *static_cast<const float*>(beta)};
  if (!is_supported(multiplication.description, multiplication.a, multiplication.b,
                    multiplication.d))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  queue->gpu.put(*queue, {.act =
                              [=](Gpu& gpu) {
                                gpu.at(workspace, workspace_bytes);
                                multiplication(gpu);
                              },
                          .waits_for = {},
                          .notes = {}});
  return queue->gpu.sticky() == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                            : CUBLAS_STATUS_EXECUTION_FAILED;
}

}  // extern "C"
