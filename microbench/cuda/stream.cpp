#include "microbench/cuda/stream.hpp"

#include "microbench/cuda/cuda_call.hpp"

namespace tofn::bench {
namespace {

Handle<cudaGraph_t, cudaGraphDestroy> captured(cudaStream_t stream,
                                               const std::function<void()>& enqueue) {
  // Other threads, each with its own GPU, are not restricted meanwhile.
  check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal),
             "cudaStreamBeginCapture");
  cudaGraph_t graph = nullptr;
  try {
    enqueue();
  } catch (...) {
    if (cudaStreamEndCapture(stream, &graph) == cudaSuccess) cudaGraphDestroy(graph);
    cudaGetLastError();
    throw;
  }
  check_cuda(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
  return Handle<cudaGraph_t, cudaGraphDestroy>(graph);
}

}  // namespace

CudaStream::CudaStream() {
  cudaStream_t stream = nullptr;
  check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
             "cudaStreamCreateWithFlags");
  handle_.reset(stream);
}

Event::Event() {
  cudaEvent_t event = nullptr;
  check_cuda(cudaEventCreate(&event), "cudaEventCreate");
  handle_.reset(event);
}

void Event::record(cudaStream_t stream) const {
  check_cuda(cudaEventRecord(get(), stream), "cudaEventRecord");
}

bool Event::is_reached() const {
  const cudaError_t code = cudaEventQuery(get());
  if (code == cudaErrorNotReady) {
    cudaGetLastError();  // not an error, but kept as the last one
    return false;
  }
  check_cuda(code, "cudaEventQuery");
  return true;
}

void Event::wait() const { check_cuda(cudaEventSynchronize(get()), "cudaEventSynchronize"); }

double seconds_between(const Event& from, const Event& to) {
  float milliseconds = 0;
  check_cuda(cudaEventElapsedTime(&milliseconds, from.get(), to.get()), "cudaEventElapsedTime");
  return static_cast<double>(milliseconds) / 1e3;
}

Graph::Graph(cudaStream_t stream, const std::function<void()>& enqueue) {
  const auto graph = captured(stream, enqueue);
  cudaGraphExec_t executable = nullptr;
  check_cuda(cudaGraphInstantiate(&executable, graph.get(), 0), "cudaGraphInstantiate");
  handle_.reset(executable);
}

void Graph::launch(cudaStream_t stream) const {
  check_cuda(cudaGraphLaunch(handle_.get(), stream), "cudaGraphLaunch");
}

}  // namespace tofn::bench
