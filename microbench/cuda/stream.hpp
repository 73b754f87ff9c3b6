#pragma once

#include <functional>

#include <cuda_runtime.h>

#include "microbench/cuda/handle.hpp"

namespace tofn::bench {

/// A queue of work of the calling thread's GPU, beside all its other queues.
class CudaStream {
 public:
  CudaStream();
  cudaStream_t get() const { return handle_.get(); }

 private:
  Handle<cudaStream_t, cudaStreamDestroy> handle_;
};

/// A point in a stream whose time is known once the GPU has reached it.
class Event {
 public:
  Event();
  cudaEvent_t get() const { return handle_.get(); }
  void record(cudaStream_t) const;
  /// Whether the GPU has reached it. Throws std::runtime_error where work on the GPU has failed.
  bool is_reached() const;
  /// Returns when it has; throws likewise.
  void wait() const;

 private:
  Handle<cudaEvent_t, cudaEventDestroy> handle_;
};

double seconds_between(const Event& from, const Event& to);

/// Work to be given to a stream again and again at once.
class Graph {
 public:
  /// Captures what `enqueue` puts on the stream; nothing of it runs yet.
  Graph(cudaStream_t, const std::function<void()>& enqueue);
  void launch(cudaStream_t) const;

 private:
  Handle<cudaGraphExec_t, cudaGraphExecDestroy> handle_;
};

}  // namespace tofn::bench
