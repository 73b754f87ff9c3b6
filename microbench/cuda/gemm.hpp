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

/// Types of a product: elements of a and b, elements of c, and the arithmetic.
struct GemmType {
  std::string_view name;
  cudaDataType_t operand = CUDA_R_32F;
  cudaDataType_t result = CUDA_R_32F;
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  int operand_bytes = 4;
  int result_bytes = 4;
  int least_capability = 0;  ///< of the GPU: 89 for 8.9
};

/// Every type; an old GPU may lack some.
std::span<const GemmType> gemm_types();
/// Throws std::runtime_error if the name is unknown.
const GemmType& gemm_type(std::string_view name);

/// Name and version, such as `cuBLASLt 13.1.0`.
std::string gemm_library();

/// cuBLASLt with a workspace that all its kernels share on one stream.
class GemmMaker {
 public:
  explicit GemmMaker(cudaStream_t);
  /// Makes a kernel with the best algorithm of the library's heuristic, found once.
  /// std::runtime_error if there is none. The kernel must not outlive its maker.
  std::unique_ptr<PreparedKernel> kernel(const Product&);

 private:
  Handle<cublasLtHandle_t, cublasLtDestroy> library_;
  DeviceBuffer workspace_;
  cudaStream_t stream_;
};

}  // namespace tofn::bench
