#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <nccl.h>

#include "tests/standin/library/gpu.hpp"
#include "tests/standin/library/post.hpp"

namespace tofn::standin {

enum class CallKind { AllReduce, ReduceScatter, AllGather, Broadcast, Send, Receive };

/// One call of NCCL by the program.
struct NcclWork {
  CallKind kind = CallKind::AllReduce;
  const void* send = nullptr;
  void* receive = nullptr;
  std::size_t count = 0;
  ncclDataType_t type = ncclFloat32;
  int peer = 0;  ///< or the root
};

/// One rank's end of a communicator. Queued and captured work shares it.
class NcclMember {
 public:
  NcclMember(const ncclUniqueId& id, int rank, int ranks, Gpu& device);
  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  Gpu& gpu() { return gpu_; }

  /// Runs calls that belong together on the device's thread, waiting for the other ranks.
  void perform(const std::vector<NcclWork>&);
  void abort() { is_aborted_ = true; }
  ncclResult_t background_error() const;
  std::string last_words() const;
  std::set<const void*> registered;  ///< used only by the program's thread

 private:
  void move(std::vector<Transfer>&);
  void add_message(std::vector<Transfer>&, const NcclWork&);
  void reduce(const NcclWork&);
  void gather(const NcclWork&);
  void broadcast(const NcclWork&);
  bool meets_fault(const std::vector<NcclWork>&);
  void stall() const;
  void fail(ncclResult_t, const std::string& why);

  int rank_;
  int ranks_;
  Gpu& gpu_;
  std::atomic<bool> is_aborted_ = false;
  Post post_;
  mutable std::mutex mutex_;
  ncclResult_t error_ = ncclSuccess;
  std::string last_words_;
};

/// Object behind the program's ncclComm_t.
struct NcclHandle {
  std::shared_ptr<NcclMember> member;
  std::string last_words;
  int device_communicators = 0;  ///< not yet destroyed; used only by the program's thread
};

NcclHandle& handle_of(ncclComm_t);

/// Object behind the program's ncclWindow_t. It stays, because a kernel may run after the window is
/// gone.
struct NcclWindow {
  std::weak_ptr<NcclMember> member;
  void* start = nullptr;
  std::size_t bytes = 0;
  std::atomic<bool> is_gone = false;
};

/// Object behind a device communicator's `resourceWindow`, which stays for the same reason.
struct DeviceEnd {
  std::weak_ptr<NcclMember> member;
  int barriers = 0;
  std::atomic<bool> is_gone = false;
};

std::size_t element_bytes(ncclDataType_t);

}  // namespace tofn::standin
