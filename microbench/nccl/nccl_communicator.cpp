#include "microbench/nccl/nccl_communicator.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <thread>
#include <utility>

#include "microbench/cuda/device_buffer.hpp"
#include "microbench/nccl/nccl_call.hpp"
#include "microbench/nccl/nccl_operations.hpp"
#include "sim/core/quantity_text.hpp"

namespace tofn::bench {
namespace {

bool is_same(const Call& left, const Call& right) {
  return left.operation == right.operation && left.type == right.type && left.send == right.send &&
         left.receive == right.receive && left.chunk == right.chunk && left.root == right.root;
}

#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 19, 0)
template <class Handle>
struct EnteredMemory {
  DeviceMemory memory;
  Handle handle = nullptr;  ///< null if NCCL did not register it
};

/// Memory of NCCL's allocator, which `enter`, a call of NCCL's named `call`, registers with the
/// group, and `leave` deregisters.
template <class Handle, class Enter, class Leave>
EnteredMemory<Handle> entered_memory(const std::shared_ptr<NcclGroup>& group, std::size_t bytes,
                                     const std::string& call, Enter enter, Leave leave) {
  const std::string size = " of " + to_text(Bytes(static_cast<double>(bytes)));
  void* memory = nullptr;
  check_nccl(ncclMemAlloc(&memory, bytes), group->comm(), "ncclMemAlloc" + size);
  Handle handle = nullptr;
  const ncclResult_t code = enter(memory, &handle);
  if (code != ncclSuccess) ncclMemFree(memory);
  check_nccl(code, group->comm(), call + size);
  return {.memory = {static_cast<std::byte*>(memory),
                     [group, handle, leave](std::byte* pointer) {
                       // An aborted group has already dropped its registrations.
                       if (handle != nullptr && group->comm() != nullptr) leave(*group, handle);
                       ncclMemFree(pointer);
                     }},
          .handle = handle};
}

/// Registered memory, for communication without copies.
DeviceMemory registered_memory(const std::shared_ptr<NcclGroup>& group, std::size_t bytes) {
  const auto enter = [&](void* memory, void** handle) {
    return ncclCommRegister(group->comm(), memory, bytes, handle);
  };
  const auto leave = [](NcclGroup& of, void* handle) { ncclCommDeregister(of.comm(), handle); };
  return entered_memory<void*>(group, bytes, "ncclCommRegister", enter, leave).memory;
}
#else
DeviceMemory registered_memory(const std::shared_ptr<NcclGroup>&, std::size_t) {
  assert(false);  // nccl_backend() refuses the option
  return {};
}
#endif

#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 28, 0)
/// Memory at the same place of a window on every rank. Collective over the group.
DeviceMemory symmetric_memory(const std::shared_ptr<NcclGroup>& group, std::size_t bytes) {
  const auto enter = [&](void* memory, ncclWindow_t* window) {
    return ncclCommWindowRegister(group->comm(), memory, bytes, window, NCCL_WIN_COLL_SYMMETRIC);
  };
  const auto leave = [](NcclGroup& of, ncclWindow_t window) {
    of.windows().remove(window);
    ncclCommWindowDeregister(of.comm(), window);
  };
  auto [memory, window] =
      entered_memory<ncclWindow_t>(group, bytes, "ncclCommWindowRegister", enter, leave);
  if (window == nullptr) throw std::runtime_error(no_symmetric_memory);
  group->windows().add(window, memory.get(), bytes);
  return std::move(memory);
}
#else
DeviceMemory symmetric_memory(const std::shared_ptr<NcclGroup>&, std::size_t) {
  assert(false);  // nccl_backend() refuses the option
  return {};
}
#endif

}  // namespace

NcclCommunicator::NcclCommunicator(std::shared_ptr<NcclGroup> group, const NcclOptions& options)
    : options_(options), group_(std::move(group)) {
  if (options_.symmetric) require_symmetric_memory(*group_);
  if (options_.device_api) device_ = std::make_unique<DeviceCommunicator>(group_);
}

std::unique_ptr<Buffer> NcclCommunicator::allocate(std::size_t bytes) {
  replays_.clear();  // this memory may replace that of a graph
  if (options_.has_windows())
    return std::make_unique<DeviceBuffer>(symmetric_memory(group_, bytes), bytes);
  if (options_.registered)
    return std::make_unique<DeviceBuffer>(registered_memory(group_, bytes), bytes);
  return std::make_unique<DeviceBuffer>(bytes);
}

Elapsed NcclCommunicator::run(const Call& first, int calls) {
  Elapsed elapsed;
  or_abort(*group_, [&] {
    try {
      elapsed = timed(first, calls);
    } catch (...) {
      replays_.clear();
      throw;
    }
  });
  return elapsed;
}

Elapsed NcclCommunicator::timed(const Call& first, int calls) {
  const Graph* graph = options_.cuda_graph ? &graph_of(first, calls) : nullptr;
  const double start = host_seconds();
  begin_.record(stream_.get());
  if (graph != nullptr)
    graph->launch(stream_.get());
  else
    enqueue(first, calls);
  end_.record(stream_.get());
  wait();
  return {.host = host_seconds() - start, .device = seconds_between(begin_, end_)};
}

void NcclCommunicator::enqueue(const Call& first, int calls) const {
  const NcclFunction function = nccl_function(*first.operation);
  const auto type = nccl_type(*first.type, *first.operation);
  assert(type);  // the backend refuses other types
  NcclCall call{.call = first,
                .type = *type,
                .member = member(),
                .group = group_->comm(),
                .stream = stream_.get()};
  for (int i = 0; i < calls; ++i) {
    if (device_)
      device_->enqueue(call);
    else
      function(call);
    call.turn = (call.turn + 1) % (2 * call.member.size);
  }
}

const Graph& NcclCommunicator::graph_of(const Call& first, int calls) {
  const auto known = std::find_if(replays_.begin(), replays_.end(), [&](const Replay& replay) {
    return is_same(replay.first, first);
  });
  if (known != replays_.end()) {
    if (known->calls == calls) return known->graph;
    replays_.erase(known);  // from the warm-up, with another number of calls
  }
  replays_.push_back({.first = first, .calls = calls, .graph = Graph(stream_.get(), [&] {
                                                        enqueue(first, calls);
                                                      })});
  return replays_.back().graph;
}

void NcclCommunicator::wait() const {
  while (!end_.is_reached()) {
    group_->check();
    std::this_thread::yield();  // NCCL's own threads may share this core
  }
}

}  // namespace tofn::bench
