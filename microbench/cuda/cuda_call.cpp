#include "microbench/cuda/cuda_call.hpp"

namespace tofn::bench {

void check_cuda(cudaError_t code, const char* call) {
  if (code == cudaSuccess) return;
  cudaGetLastError();  // forgets it; else the next kernel launch would report it as its own
  throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(code));
}

}  // namespace tofn::bench
