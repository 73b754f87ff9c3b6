#include "microbench/nccl/device_communicator.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "microbench/nccl/device_kernels.hpp"
#include "microbench/nccl/nccl_call.hpp"

namespace tofn::bench {

#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 28, 0)
namespace {

constexpr std::array<std::pair<std::string_view, void (*)(const DeviceCall&)>, 3> kernels{
    {{"all-reduce", enqueue_all_reduce},
     {"reduce-scatter", enqueue_reduce_scatter},
     {"all-gather", enqueue_all_gather}}};

constexpr std::array<std::string_view, 4> kernel_types{"fp32", "fp16", "bf16", "int32"};

ncclDevComm device_comm(const NcclGroup& group, int barriers) {
#ifdef NCCL_DEV_COMM_REQUIREMENTS_INITIALIZER  // later versions recognise their callers' version by
                                               // it
  ncclDevCommRequirements request = NCCL_DEV_COMM_REQUIREMENTS_INITIALIZER;
#else
  ncclDevCommRequirements request{};
#endif
  request.lsaBarrierCount = barriers;
  ncclDevComm made;
  const ncclResult_t code = ncclDevCommCreate(group.comm(), &request, &made);
  if (code == ncclInvalidUsage) throw GroupObjection(no_symmetric_memory);
  check_nccl(code, group.comm(), "ncclDevCommCreate");
  return made;
}

}  // namespace

struct DeviceCommunicator::State {
  ncclDevComm comm;
};

DeviceCommunicator::DeviceCommunicator(std::shared_ptr<NcclGroup> group)
    : group_(std::move(group)), state_(std::make_unique<State>()) {
  const int ranks = group_->member().size;
  const int reached = ncclTeamLsa(group_->comm()).nRanks;
  if (reached != ranks)
    throw GroupObjection(
        fmt::format("--device-api: loads and stores reach {} of the group's {} ranks: their GPUs "
                    "must be of one domain of NVLink, as those of a node often are (--group node)",
                    reached, ranks));
  state_->comm = device_comm(*group_, most_blocks);
}

DeviceCommunicator::~DeviceCommunicator() {
  // An aborted group has already dropped it.
  if (group_->comm() != nullptr) ncclDevCommDestroy(group_->comm(), &state_->comm);
}

void DeviceCommunicator::enqueue(const NcclCall& call) const {
  const SymmetricWindows& windows = group_->windows();
  for (const auto& [name, enqueue_kernel] : kernels)
    if (name == call.call.operation->name)
      return enqueue_kernel({.comm = state_->comm,
                             .send = windows.place_of(call.call.send),
                             .receive = windows.place_of(call.call.receive),
                             .chunk = call.call.chunk,
                             .type = call.type,
                             .stream = call.stream});
  throw std::logic_error("no kernel does this operation");  // the backend refuses such operations
}

void require_symmetric_memory(const NcclGroup& group) {
  const ncclDevComm made = device_comm(group, 0);
  check_nccl(ncclDevCommDestroy(group.comm(), &made), group.comm(), "ncclDevCommDestroy");
}

std::optional<std::string> device_api_objection(const Operation& operation,
                                                const ElementType& type) {
  std::vector<std::string_view> names;
  for (const auto& [name, enqueue_kernel] : kernels) names.push_back(name);
  if (std::find(names.begin(), names.end(), operation.name) == names.end())
    return fmt::format("--device-api has no {}, but {}", operation.name, fmt::join(names, ", "));
  if (std::find(kernel_types.begin(), kernel_types.end(), type.name) == kernel_types.end())
    return fmt::format("--device-api has no {}, but {}", type.name, fmt::join(kernel_types, ", "));
  return {};
}

#else
// nccl_backend() refuses the option.
struct DeviceCommunicator::State {};
DeviceCommunicator::DeviceCommunicator(std::shared_ptr<NcclGroup>) { assert(false); }
DeviceCommunicator::~DeviceCommunicator() = default;
void DeviceCommunicator::enqueue(const NcclCall&) const { assert(false); }
void require_symmetric_memory(const NcclGroup&) { assert(false); }
std::optional<std::string> device_api_objection(const Operation&, const ElementType&) { return {}; }
#endif

}  // namespace tofn::bench
