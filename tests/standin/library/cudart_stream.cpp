// Emulates streams, events and graphs.
#include <algorithm>
#include <mutex>
#include <set>

#include <cuda_runtime_api.h>

#include "tests/standin/library/refusal_by_name.hpp"
#include "tests/standin/library/thread_error.hpp"

namespace tofn::standin {
namespace {

/// Handles that the program may still use.
template <class Thing>
class Handles {
 public:
  Thing* add(Thing* thing) {
    const std::lock_guard lock(mutex_);
    things_.insert(thing);
    return thing;
  }
  bool has(Thing* thing) {
    const std::lock_guard lock(mutex_);
    return things_.count(thing) > 0;
  }
  bool remove(Thing* thing) {
    const std::lock_guard lock(mutex_);
    return things_.erase(thing) > 0;
  }

 private:
  std::mutex mutex_;
  std::set<Thing*> things_;
};

struct EventHandle {
  Gpu& gpu;
  std::mutex mutex;
  std::shared_ptr<Recording> last;

  std::shared_ptr<Recording> recording() {
    const std::lock_guard lock(mutex);
    return last;
  }
};

using Nodes = std::shared_ptr<const std::vector<Action>>;
struct GraphHandle {
  Nodes nodes;
};
struct ExecutableHandle {
  Nodes nodes;
};

template <class Thing>
Handles<Thing>& handles() {
  static auto* const all = new Handles<Thing>;
  return *all;
}

template <class Thing, class Opaque>
Thing* found(Opaque handle) {
  auto* thing = reinterpret_cast<Thing*>(handle);
  return handles<Thing>().has(thing) ? thing : nullptr;
}

cudaError_t begun(Queue& queue) {
  const std::lock_guard lock(queue.gpu.mutex());
  if (queue.capture || captured_queue() != nullptr) return cudaErrorIllegalState;
  queue.capture.emplace();
  queue.is_capture_broken = false;
  captured_queue() = &queue;
  return cudaSuccess;
}

cudaError_t ended(Queue& queue, Nodes& nodes) {
  const std::lock_guard lock(queue.gpu.mutex());
  if (!queue.capture || captured_queue() != &queue) return cudaErrorIllegalState;
  nodes = std::make_shared<const std::vector<Action>>(std::move(*queue.capture));
  queue.capture.reset();
  captured_queue() = nullptr;
  return queue.is_capture_broken ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
}

}  // namespace

cudaError_t find(cudaStream_t stream, Queue*& queue) {
  if (gpu_count() == 0) return cudaErrorNoDevice;
  queue = stream == nullptr ? &current_gpu().default_queue() : found<Queue>(stream);
  return queue == nullptr ? cudaErrorInvalidResourceHandle : cudaSuccess;
}

}  // namespace tofn::standin

using namespace tofn::standin;

extern "C" {

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  if (gpu_count() == 0) return kept(cudaErrorNoDevice);
  if (flags != cudaStreamNonBlocking)
    refuse("cudaStreamCreateWithFlags",
           "a stream that waits for the default stream is not emulated");
  *stream = reinterpret_cast<cudaStream_t>(handles<Queue>().add(&current_gpu().open_queue()));
  return kept(current_gpu().sticky());
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  auto* queue = reinterpret_cast<Queue*>(stream);
  if (!handles<Queue>().remove(queue)) return kept(cudaErrorInvalidResourceHandle);
  queue->gpu.close_queue(*queue);
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  Queue* queue = nullptr;
  if (const cudaError_t error = find(stream, queue); error != cudaSuccess) return kept(error);
  if (const cudaError_t error = obstacle(); error != cudaSuccess) return kept(error);
  queue->gpu.wait_for(*queue);
  return kept(queue->gpu.sticky());
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t handle, unsigned /*flags*/) {
  Queue* queue = nullptr;
  if (const cudaError_t error = find(stream, queue); error != cudaSuccess) return kept(error);
  auto* event = found<EventHandle>(handle);
  if (event == nullptr) return kept(cudaErrorInvalidResourceHandle);
  if (&event->gpu != &queue->gpu) refuse("cudaStreamWaitEvent", "an event of another device");
  if (auto recording = event->recording())
    queue->gpu.put(*queue, {.act = {}, .waits_for = std::move(recording), .notes = {}});
  return kept(queue->gpu.sticky());
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  if (gpu_count() == 0) return kept(cudaErrorNoDevice);
  *event = reinterpret_cast<cudaEvent_t>(
      handles<EventHandle>().add(new EventHandle{.gpu = current_gpu(), .mutex = {}, .last = {}}));
  return kept(current_gpu().sticky());
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  auto* known = reinterpret_cast<EventHandle*>(event);
  if (!handles<EventHandle>().remove(known)) return kept(cudaErrorInvalidResourceHandle);
  delete known;
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream) {
  Queue* queue = nullptr;
  if (const cudaError_t error = find(stream, queue); error != cudaSuccess) return kept(error);
  auto* event = found<EventHandle>(handle);
  if (event == nullptr || &event->gpu != &queue->gpu) return kept(cudaErrorInvalidResourceHandle);
  const auto recording = std::make_shared<Recording>();
  {
    const std::lock_guard lock(event->mutex);
    event->last = recording;
  }
  queue->gpu.put(*queue, {.act = {}, .waits_for = {}, .notes = recording});
  return kept(queue->gpu.sticky());
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
  auto* event = found<EventHandle>(handle);
  if (event == nullptr) return kept(cudaErrorInvalidResourceHandle);
  if (const cudaError_t error = obstacle(); error != cudaSuccess) return kept(error);
  const auto recording = event->recording();
  if (!recording) return cudaSuccess;
  const bool is_reached = event->gpu.is_reached(*recording);
  if (const cudaError_t error = event->gpu.sticky(); error != cudaSuccess) return kept(error);
  return kept(is_reached ? cudaSuccess : cudaErrorNotReady);
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  auto* event = found<EventHandle>(handle);
  if (event == nullptr) return kept(cudaErrorInvalidResourceHandle);
  if (const cudaError_t error = obstacle(); error != cudaSuccess) return kept(error);
  if (const auto recording = event->recording()) event->gpu.wait_for(*recording);
  return kept(event->gpu.sticky());
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
  auto* first = found<EventHandle>(from);
  auto* last = found<EventHandle>(to);
  if (first == nullptr || last == nullptr) return kept(cudaErrorInvalidResourceHandle);
  const auto begin = first->recording();
  const auto end = last->recording();
  if (!begin || !end) return kept(cudaErrorInvalidResourceHandle);
  if (!begin->is_reached || !end->is_reached) return kept(cudaErrorNotReady);
  *milliseconds = static_cast<float>(1e3 * (end->seconds - begin->seconds));
  return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  Queue* queue = nullptr;
  if (const cudaError_t error = find(stream, queue); error != cudaSuccess) return kept(error);
  if (stream == nullptr) return kept(cudaErrorStreamCaptureUnsupported);
  if (mode != cudaStreamCaptureModeThreadLocal)
    refuse("cudaStreamBeginCapture", "only cudaStreamCaptureModeThreadLocal is emulated");
  return kept(begun(*queue));
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  *graph = nullptr;
  Queue* queue = nullptr;
  if (const cudaError_t error = find(stream, queue); error != cudaSuccess) return kept(error);
  Nodes nodes;
  if (const cudaError_t error = ended(*queue, nodes); error != cudaSuccess) return kept(error);
  *graph = reinterpret_cast<cudaGraph_t>(handles<GraphHandle>().add(new GraphHandle{nodes}));
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t handle,
                                 unsigned long long /*flags*/) {
  auto* graph = found<GraphHandle>(handle);
  if (graph == nullptr) return kept(cudaErrorInvalidValue);
  *executable = reinterpret_cast<cudaGraphExec_t>(
      handles<ExecutableHandle>().add(new ExecutableHandle{graph->nodes}));
  return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream) {
  Queue* queue = nullptr;
  if (const cudaError_t error = find(stream, queue); error != cudaSuccess) return kept(error);
  auto* executable = found<ExecutableHandle>(handle);
  if (executable == nullptr) return kept(cudaErrorInvalidValue);
  queue->gpu.put(*queue, {.act =
                              [nodes = executable->nodes](Gpu& gpu) {
                                for (const Action& node : *nodes)
                                  if (gpu.sticky() == cudaSuccess) node(gpu);
                              },
                          .waits_for = {},
                          .notes = {}});
  return kept(queue->gpu.sticky());
}

cudaError_t cudaGraphDestroy(cudaGraph_t handle) {
  auto* graph = reinterpret_cast<GraphHandle*>(handle);
  if (!handles<GraphHandle>().remove(graph)) return kept(cudaErrorInvalidValue);
  delete graph;
  return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle) {
  auto* executable = reinterpret_cast<ExecutableHandle*>(handle);
  if (!handles<ExecutableHandle>().remove(executable)) return kept(cudaErrorInvalidValue);
  delete executable;
  return cudaSuccess;
}

}  // extern "C"
