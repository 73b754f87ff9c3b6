#include "tests/standin/library/thread_error.hpp"

#include <utility>

namespace tofn::standin {
namespace {

thread_local cudaError_t last = cudaSuccess;
thread_local Queue* capturing = nullptr;

}  // namespace

cudaError_t kept(cudaError_t error) {
  if (error != cudaSuccess) last = error;
  return error;
}

cudaError_t taken() {
  if (gpu_count() > 0 && current_gpu().sticky() != cudaSuccess) return current_gpu().sticky();
  return std::exchange(last, cudaSuccess);
}

Queue*& captured_queue() { return capturing; }

cudaError_t obstacle() {
  if (gpu_count() == 0) return cudaErrorNoDevice;
  if (capturing != nullptr) {
    capturing->is_capture_broken = true;
    return cudaErrorStreamCaptureUnsupported;
  }
  return current_gpu().sticky();
}

}  // namespace tofn::standin
