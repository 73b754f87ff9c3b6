#pragma once

#include <stdexcept>
#include <string>

#include <cuda_runtime.h>

namespace tofn::bench {

/// Throws std::runtime_error such as `cudaMalloc: out of memory` if `code` is an error.
void check_cuda(cudaError_t code, const char* call);

}  // namespace tofn::bench
