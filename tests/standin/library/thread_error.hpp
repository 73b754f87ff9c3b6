#pragma once

#include <cuda_runtime_api.h>

#include "tests/standin/library/gpu.hpp"

namespace tofn::standin {

/// Keeps the error for cudaGetLastError, and returns it.
cudaError_t kept(cudaError_t);
/// The error that was kept; cudaSuccess from then on.
cudaError_t taken();

/// cudaErrorInvalidResourceHandle unless it is an open stream; nullptr is the default stream.
cudaError_t find(cudaStream_t, Queue*&);
/// The stream that this thread is capturing; nullptr where it is not.
Queue*& captured_queue();
/// What a call that waits, or allocates, answers before it does: the error of work before it, or
/// that the thread captures, which breaks the capture.
cudaError_t obstacle();

}  // namespace tofn::standin
