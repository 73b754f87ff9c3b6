#pragma once

#include <stdexcept>
#include <string>

#include <cuda_runtime.h>

namespace tofn::bench {

/// Throws std::runtime_error `cudaMalloc: out of memory` unless it succeeded.
void check_cuda(cudaError_t code, const char* call);

}  // namespace tofn::bench
