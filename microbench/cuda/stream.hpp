#pragma once

#include <functional>

#include <cuda_runtime.h>

#include "microbench/cuda/handle.hpp"

namespace tofn::bench {

/// A queue of work on the calling thread's GPU, concurrent with its other queues.
class CudaStream {
 public:
  CudaStream();
  cudaStream_t get() const { return handle_.get(); }

 private:
  Handle<cudaStream_t, cudaStreamDestroy> handle_;
};

/// A point in a stream, with a time once the GPU has reached it.
class Event {
 public:
  Event();
  cudaEvent_t get() const { return handle_.get(); }
  void record(cudaStream_t) const;
  /// True if the GPU has reached it. Throws std::runtime_error if work on the GPU has failed.
  bool is_reached() const;
  /// Returns when the GPU has reached it; throws in the same cases.
  void wait() const;

 private:
  Handle<cudaEvent_t, cudaEventDestroy> handle_;
};

double seconds_between(const Event& from, const Event& to);

/// Work that a stream repeats with one launch.
class Graph {
 public:
  /// Captures the work that `enqueue` puts on the stream, without running it.
  Graph(cudaStream_t, const std::function<void()>& enqueue);
  void launch(cudaStream_t) const;

 private:
  Handle<cudaGraphExec_t, cudaGraphExecDestroy> handle_;
};

}  // namespace tofn::bench
