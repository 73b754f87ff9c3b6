#include "microbench/cuda/cuda_call.hpp"

namespace tofn::bench {

void check_cuda(cudaError_t code, const char* call) {
  if (code == cudaSuccess) return;
  cudaGetLastError();  // clears the error; else the next kernel launch would report it
  throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(code));
}

}  // namespace tofn::bench
