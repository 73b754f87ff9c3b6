#include "microbench/nccl/nccl_group.hpp"

#include <cassert>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "microbench/harness/machine.hpp"
#include "microbench/nccl/nccl_call.hpp"

namespace tofn::bench {
namespace {

std::string new_id() {
  ncclUniqueId id{};
  check_nccl(ncclGetUniqueId(&id), nullptr, "ncclGetUniqueId");
  return {std::begin(id.internal), std::end(id.internal)};
}

ncclUniqueId id_of(const std::string& bytes) {
  ncclUniqueId id{};
  assert(bytes.size() == sizeof id.internal);
  std::memcpy(id.internal, bytes.data(), sizeof id.internal);
  return id;
}

/// Ranks of the team with the same text as this rank, ascending.
std::vector<std::size_t> ranks_with(const std::vector<std::string>& groups,
                                    const std::string& group) {
  std::vector<std::size_t> ranks;
  for (std::size_t rank = 0; rank < groups.size(); ++rank)
    if (groups[rank] == group) ranks.push_back(rank);
  return ranks;
}

}  // namespace

NcclGroup::NcclGroup(const ncclUniqueId& id, Member member) : member_(member) {
  check_nccl(ncclCommInitRank(&comm_, member.size, id, member.rank), nullptr, "ncclCommInitRank");
}

NcclGroup::~NcclGroup() {
  if (comm_ != nullptr) ncclCommDestroy(comm_);
}

void NcclGroup::check() const {
  ncclResult_t result = ncclSuccess;
  check_nccl(ncclCommGetAsyncError(comm_, &result), comm_, "ncclCommGetAsyncError");
  check_nccl(result, comm_, "NCCL, in the background");
}

void NcclGroup::abort() noexcept {
  if (comm_ != nullptr) ncclCommAbort(comm_);
  comm_ = nullptr;
}

std::string joining_text(const Team& team) {
  return fmt::format("host {}, rank {}: joining through NCCL", host_name(), team.rank());
}

std::shared_ptr<NcclGroup> joined(Team& team, std::optional<int> group) {
  const std::string mine = group ? std::to_string(*group) : "";
  const auto ranks = ranks_with(team.gather(mine), mine);
  Member member{.rank = 0, .size = static_cast<int>(ranks.size())};
  for (const std::size_t rank : ranks)
    if (static_cast<int>(rank) < team.rank()) ++member.rank;
  std::string id;
  agree_on(team, joining_text(team), [&] {
    if (group && member.rank == 0) id = new_id();
  });
  const auto ids = team.gather(id);
  if (!group) return nullptr;
  return std::make_shared<NcclGroup>(id_of(ids[ranks.front()]), member);
}

}  // namespace tofn::bench
