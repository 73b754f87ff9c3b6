// Emulates NCCL's calls: their checks, groups of calls, and the end of a communicator.
#include <chrono>
#include <cstdint>
#include <map>
#include <thread>
#include <utility>

#include <nccl.h>

#include "tests/standin/library/fault.hpp"
#include "tests/standin/library/nccl_member.hpp"
#include "tests/standin/library/refusal_by_name.hpp"
#include "tests/standin/library/thread_error.hpp"

namespace tofn::standin {
namespace {

struct Grouped {
  std::shared_ptr<NcclMember> member;
  Queue* queue;
  std::vector<NcclWork> works;
};

/// Group of calls that this thread has started.
struct Group {
  int depth = 0;
  std::vector<Grouped> parts;
};
thread_local Group group;

void enqueue(Grouped part) {
  Queue& queue = *part.queue;
  queue.gpu.put(queue, {.act = [member = std::move(part.member),
                                works = std::move(part.works)](Gpu&) { member->perform(works); },
                        .waits_for = {},
                        .notes = {}});
}

ncclResult_t add(ncclComm_t comm, cudaStream_t stream, const NcclWork& work) {
  if (comm == nullptr) return ncclInvalidArgument;
  const auto& member = handle_of(comm).member;
  Queue* queue = nullptr;
  if (find(stream, queue) != cudaSuccess) return ncclInvalidArgument;
  if (&queue->gpu != &member->gpu()) return ncclInvalidUsage;
  if (work.peer < 0 || work.peer >= member->ranks()) return ncclInvalidArgument;
  element_bytes(work.type);  // refuses unknown types
  if (group.depth == 0) {
    enqueue({.member = member, .queue = queue, .works = {work}});
    return member->background_error();
  }
  for (Grouped& part : group.parts)
    if (part.member == member && part.queue == queue) {
      part.works.push_back(work);
      return ncclSuccess;
    }
  group.parts.push_back({.member = member, .queue = queue, .works = {work}});
  return ncclSuccess;
}

void refuse_unless_sum(ncclRedOp_t operation, const char* call) {
  if (operation != ncclSum) refuse(call, "only ncclSum is emulated");
}

}  // namespace
}  // namespace tofn::standin

using namespace tofn::standin;

extern "C" {

ncclResult_t ncclGetVersion(int* version) {
  constexpr int minor = 100;  // difference of NCCL_VERSION()
  *version = NCCL_VERSION_CODE + (is_requested(Fault::OtherNccl, 0) ? minor : 0);
  return ncclSuccess;
}

const char* ncclGetErrorString(ncclResult_t result) {
  switch (result) {
    case ncclSuccess:
      return "no error";
    case ncclUnhandledCudaError:
      return "unhandled cuda error";
    case ncclSystemError:
      return "unhandled system error";
    case ncclInternalError:
      return "internal error";
    case ncclInvalidArgument:
      return "invalid argument";
    case ncclInvalidUsage:
      return "invalid usage";
    case ncclRemoteError:
      return "remote process exited or there was a network error";
    default:
      return "unknown result code";
  }
}

const char* ncclGetLastError(ncclComm_t comm) {
  if (comm == nullptr) return "";
  NcclHandle& handle = handle_of(comm);
  handle.last_words = handle.member->last_words();
  return handle.last_words.c_str();
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  Post::found(id->internal);
  return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank) {
  *comm = nullptr;
  if (ranks < 1 || rank < 0 || rank >= ranks) return ncclInvalidArgument;
  if (gpu_count() == 0) return ncclUnhandledCudaError;
  if (strikes(Fault::FailingJoin, current_gpu().number())) return ncclSystemError;
  auto member = std::make_shared<NcclMember>(id, rank, ranks, current_gpu());
  *comm =
      reinterpret_cast<ncclComm_t>(new NcclHandle{.member = std::move(member), .last_words = {}});
  return ncclSuccess;
}

/// Destroys the communicator after its queued calls and the graphs that hold some.
ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  if (comm == nullptr) return ncclSuccess;
  NcclHandle& handle = handle_of(comm);
  if (handle.device_communicators != 0)
    refuse("ncclCommDestroy", "a device communicator is left, and ncclDevCommDestroy comes first");
  while (handle.member.use_count() > 1) {
    handle.member->gpu().release();
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  delete &handle;
  return ncclSuccess;
}

ncclResult_t ncclCommAbort(ncclComm_t comm) {
  if (comm == nullptr) return ncclSuccess;
  handle_of(comm).member->abort();
  delete &handle_of(comm);
  return ncclSuccess;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* result) {
  *result = handle_of(comm).member->background_error();
  return ncclSuccess;
}

ncclResult_t ncclGroupStart() {
  ++group.depth;
  return ncclSuccess;
}

ncclResult_t ncclGroupEnd() {
  if (group.depth == 0) return ncclInvalidUsage;
  if (--group.depth > 0) return ncclSuccess;
  for (Grouped& part : std::exchange(group.parts, {})) enqueue(std::move(part));
  return ncclSuccess;
}

ncclResult_t ncclAllReduce(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                           ncclRedOp_t operation, ncclComm_t comm, cudaStream_t stream) {
  refuse_unless_sum(operation, "ncclAllReduce");
  return add(comm, stream, {CallKind::AllReduce, send, receive, count, type});
}

ncclResult_t ncclReduceScatter(const void* send, void* receive, std::size_t count,
                               ncclDataType_t type, ncclRedOp_t operation, ncclComm_t comm,
                               cudaStream_t stream) {
  refuse_unless_sum(operation, "ncclReduceScatter");
  return add(comm, stream, {CallKind::ReduceScatter, send, receive, count, type});
}

ncclResult_t ncclAllGather(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                           ncclComm_t comm, cudaStream_t stream) {
  return add(comm, stream, {CallKind::AllGather, send, receive, count, type});
}

ncclResult_t ncclBroadcast(const void* send, void* receive, std::size_t count, ncclDataType_t type,
                           int root, ncclComm_t comm, cudaStream_t stream) {
  return add(comm, stream, {CallKind::Broadcast, send, receive, count, type, root});
}

ncclResult_t ncclSend(const void* send, std::size_t count, ncclDataType_t type, int peer,
                      ncclComm_t comm, cudaStream_t stream) {
  return add(comm, stream, {CallKind::Send, send, nullptr, count, type, peer});
}

ncclResult_t ncclRecv(void* receive, std::size_t count, ncclDataType_t type, int peer,
                      ncclComm_t comm, cudaStream_t stream) {
  return add(comm, stream, {CallKind::Receive, nullptr, receive, count, type, peer});
}

ncclResult_t ncclMemAlloc(void** pointer, std::size_t bytes) {
  const cudaError_t error = cudaMalloc(pointer, bytes);
  taken();
  return error == cudaSuccess ? ncclSuccess : ncclUnhandledCudaError;
}

ncclResult_t ncclMemFree(void* pointer) {
  return cudaFree(pointer) == cudaSuccess ? ncclSuccess : ncclUnhandledCudaError;
}

ncclResult_t ncclCommRegister(const ncclComm_t comm, void* buffer, std::size_t bytes,
                              void** handle) {
  auto& member = *handle_of(comm).member;
  if (member.gpu().arena().at(buffer, bytes) == nullptr) return ncclInvalidArgument;
  if (!member.registered.insert(buffer).second) return ncclInvalidUsage;
  if (strikes(Fault::HangingRegistration, member.gpu().number()))
    while (true) std::this_thread::sleep_for(std::chrono::hours(1));
  *handle = buffer;
  return ncclSuccess;
}

ncclResult_t ncclCommDeregister(const ncclComm_t comm, void* handle) {
  return handle_of(comm).member->registered.erase(handle) == 1 ? ncclSuccess : ncclInvalidArgument;
}

#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 27, 0)
ncclResult_t ncclCommWindowRegister(ncclComm_t comm, void* buffer, std::size_t bytes,
                                    ncclWindow_t* window, int flags) {
  const bool is_aligned =
      reinterpret_cast<std::uintptr_t>(buffer) % NCCL_WIN_REQUIRED_ALIGNMENT == 0;
  if (!is_aligned || flags != NCCL_WIN_COLL_SYMMETRIC) return ncclInvalidArgument;
  void* handle = nullptr;
  const ncclResult_t result = ncclCommRegister(comm, buffer, bytes, &handle);
  if (result != ncclSuccess) return result;
  *window = reinterpret_cast<ncclWindow_t>(
      new NcclWindow{.member = handle_of(comm).member, .start = buffer, .bytes = bytes});
  return ncclSuccess;
}

ncclResult_t ncclCommWindowDeregister(ncclComm_t comm, ncclWindow_t window) {
  NcclWindow& known = *reinterpret_cast<NcclWindow*>(window);
  known.is_gone = true;
  return ncclCommDeregister(comm, known.start);
}
#endif

}  // extern "C"
