// NCCL's calls for kernels that communicate. What these do, collective_twin.cpp says.
#include <nccl.h>

#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 28, 0)
#include <nccl_device.h>

#include "tests/standin/library/fault.hpp"
#include "tests/standin/library/nccl_member.hpp"

using namespace tofn::standin;

extern "C" {

ncclTeam_t ncclTeamLsa(ncclComm_t comm) {
  NcclMember& member = *handle_of(comm).member;
  if (is_asked(Fault::SplitDomain, member.gpu().number())) return {1, 0, 1};
  return {member.ranks(), member.rank(), 1};
}

/// A kernel finds its rank's end of the communicator where NCCL has a window of its own.
ncclResult_t ncclDevCommCreate(ncclComm_t comm, const ncclDevCommRequirements_t* requirements,
                               ncclDevComm_t* made) {
  NcclHandle& handle = handle_of(comm);
  const ncclTeam_t reached = ncclTeamLsa(comm);
  *made = {};
  made->rank = handle.member->rank();
  made->nRanks = handle.member->ranks();
  made->lsaRank = reached.rank;
  made->lsaSize = reached.nRanks;
  made->lsaBarrier.nBarriers = requirements->lsaBarrierCount;
  made->resourceWindow = reinterpret_cast<ncclWindow_t>(comm);
  ++handle.device_communicators;
  return ncclSuccess;
}

ncclResult_t ncclDevCommDestroy(ncclComm_t comm, const ncclDevComm_t* made) {
  if (made->resourceWindow != reinterpret_cast<ncclWindow_t>(comm)) return ncclInvalidArgument;
  --handle_of(comm).device_communicators;
  return ncclSuccess;
}

}  // extern "C"
#endif
