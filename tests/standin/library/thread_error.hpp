#pragma once

#include <cuda_runtime_api.h>

#include "tests/standin/library/gpu.hpp"

namespace tofn::standin {

/// Keeps the error for cudaGetLastError and returns it.
cudaError_t kept(cudaError_t);
/// Returns the kept error, and replaces it by cudaSuccess.
cudaError_t taken();

/// Finds the queue of an open stream; nullptr is the default stream. Otherwise returns
/// cudaErrorInvalidResourceHandle.
cudaError_t find(cudaStream_t, Queue*&);
/// Stream that this thread is capturing; nullptr if it captures none.
Queue*& captured_queue();
/// Error that a call which waits or allocates must return before doing so: an error of earlier
/// work, or that the thread captures, which breaks the capture.
cudaError_t obstacle();

}  // namespace tofn::standin
