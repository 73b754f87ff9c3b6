#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <cublasLt.h>

#include "microbench/compute/processor.hpp"
#include "microbench/cuda/device_buffer.hpp"
#include "microbench/cuda/handle.hpp"

namespace tofn::bench {

/// Elements of a product: those of a and b, those of c, and what multiplies them.
struct GemmType {
  std::string_view name;
  cudaDataType_t operand = CUDA_R_32F;
  cudaDataType_t result = CUDA_R_32F;
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  int operand_bytes = 4;
  int result_bytes = 4;
  int least_capability = 0;  ///< of the GPU: 89 for 8.9
};

/// Every type; a GPU may be too old for some.
std::span<const GemmType> gemm_types();
/// Throws std::runtime_error for a name that is not among them.
const GemmType& gemm_type(std::string_view name);

/// `cuBLASLt 13.1.0`
std::string gemm_library();

/// cuBLASLt with the workspace that all its kernels on one stream share.
class GemmMaker {
 public:
  explicit GemmMaker(cudaStream_t);
  /// Asks the library's heuristic for its best algorithm, once. std::runtime_error where it has
  /// none. The kernel must not outlive its maker.
  std::unique_ptr<PreparedKernel> kernel(const Product&);

 private:
  Handle<cublasLtHandle_t, cublasLtDestroy> library_;
  DeviceBuffer workspace_;
  cudaStream_t stream_;
};

}  // namespace tofn::bench
