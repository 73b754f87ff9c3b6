#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "microbench/nccl/nccl_group.hpp"
#include "microbench/nccl/nccl_operations.hpp"

namespace tofn::bench {

/// A lack of support that all ranks of a group find together.
class GroupObjection : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A group whose ranks access each other's memory from kernels of this program: NCCL's device API,
/// since NCCL 2.28. Kernels that wait for ranks that never come run until the process ends;
/// aborting the group does not end them.
class DeviceCommunicator {
 public:
  /// Throws GroupObjection if the memory of some ranks is out of reach. Collective over the group.
  explicit DeviceCommunicator(std::shared_ptr<NcclGroup>);
  ~DeviceCommunicator();
  DeviceCommunicator(const DeviceCommunicator&) = delete;
  DeviceCommunicator& operator=(const DeviceCommunicator&) = delete;

  /// Enqueues the kernel of a call on its stream. The buffers must be in windows of the group.
  void enqueue(const NcclCall&) const;

 private:
  struct State;
  std::shared_ptr<NcclGroup> group_;
  std::unique_ptr<State> state_;
};

/// Throws GroupObjection if the ranks have no symmetric memory, even though NCCL may give them
/// windows. Collective over the group.
void require_symmetric_memory(const NcclGroup&);

/// Reason why no kernel does the operation; absent if one does.
std::optional<std::string> device_api_objection(const Operation&, const ElementType&);

}  // namespace tofn::bench
