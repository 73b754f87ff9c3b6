#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "microbench/nccl/nccl_group.hpp"
#include "microbench/nccl/nccl_operations.hpp"

namespace tofn::bench {

/// What a group cannot do, as all of its ranks find together.
class GroupObjection : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A group whose ranks reach each other's memory from kernels of this program: NCCL's device API,
/// since NCCL 2.28. Kernels wait for ranks that never come until the process ends; no abort of the
/// group ends them.
class DeviceCommunicator {
 public:
  /// Collective over the group. Throws GroupObjection where the memory of some of its ranks is out
  /// of reach.
  explicit DeviceCommunicator(std::shared_ptr<NcclGroup>);
  ~DeviceCommunicator();
  DeviceCommunicator(const DeviceCommunicator&) = delete;
  DeviceCommunicator& operator=(const DeviceCommunicator&) = delete;

  /// Puts the kernel of a call on its stream. The buffers lie in windows of the group.
  void enqueue(const NcclCall&) const;

 private:
  struct State;
  std::shared_ptr<NcclGroup> group_;
  std::unique_ptr<State> state_;
};

/// Collective over the group. Throws GroupObjection where its ranks have no symmetric memory: NCCL
/// may give them windows all the same.
void require_symmetric_memory(const NcclGroup&);

/// Why no kernel does it; absent where one does.
std::optional<std::string> device_api_objection(const Operation&, const ElementType&);

}  // namespace tofn::bench
