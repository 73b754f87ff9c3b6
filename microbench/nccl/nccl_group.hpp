#pragma once

#include <memory>
#include <optional>
#include <string>

#include <nccl.h>

#include "microbench/collective/operation.hpp"
#include "microbench/harness/team.hpp"
#include "microbench/nccl/symmetric_windows.hpp"

namespace tofn::bench {

/// This rank's part of a communicator of NCCL, on the calling thread's GPU.
class NcclGroup {
 public:
  /// Collective over the ranks of the group, all with the same id.
  NcclGroup(const ncclUniqueId& id, Member member);
  ~NcclGroup();
  NcclGroup(const NcclGroup&) = delete;
  NcclGroup& operator=(const NcclGroup&) = delete;

  Member member() const { return member_; }
  ncclComm_t comm() const { return comm_; }  ///< null once aborted
  SymmetricWindows& windows() { return windows_; }
  /// Throws std::runtime_error if something failed in the background, such as the network.
  void check() const;
  /// Ends running calls on this rank. Graphs of calls must be destroyed before, because NCCL waits
  /// for them.
  void abort() noexcept;

 private:
  Member member_;
  ncclComm_t comm_ = nullptr;
  SymmetricWindows windows_;
};

/// Calls `work`, and aborts the group if it throws: the other ranks may never come, and every later
/// call to CUDA could wait for them.
template <class Work>
void or_abort(NcclGroup& group, Work work) {
  try {
    work();
  } catch (...) {
    group.abort();
    throw;
  }
}

/// Start of messages: `host n1, rank 3: joining through NCCL`
std::string joining_text(const Team&);

/// Joins the ranks that pass the same number, in the order of their ranks; null for a rank that
/// passes none. Collective over the team. Throws SharedFailure, or std::runtime_error on a rank
/// that fails alone, for which the others of its group wait within NCCL.
std::shared_ptr<NcclGroup> joined(Team&, std::optional<int> group);

}  // namespace tofn::bench
