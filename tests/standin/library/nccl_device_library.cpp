// Emulates NCCL's calls for kernels that communicate. collective_twin.cpp emulates the kernels.
#include <nccl.h>

#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 28, 0)
#include <nccl_device.h>

#include "tests/standin/library/fault.hpp"
#include "tests/standin/library/nccl_member.hpp"

using namespace tofn::standin;

extern "C" {

ncclTeam_t ncclTeamLsa(ncclComm_t comm) {
  NcclMember& member = *handle_of(comm).member;
  if (is_requested(Fault::SplitDomain, member.gpu().number())) return {1, 0, 1};
  return {member.ranks(), member.rank(), 1};
}

/// Creates a device communicator. Its rank's end is stored where NCCL has its own window.
ncclResult_t ncclDevCommCreate(ncclComm_t comm, const ncclDevCommRequirements_t* requirements,
                               ncclDevComm_t* made) {
  NcclHandle& handle = handle_of(comm);
  if (is_requested(Fault::NoSymmetricMemory, handle.member->gpu().number()))
    return ncclInvalidUsage;
  const ncclTeam_t reached = ncclTeamLsa(comm);
  *made = {};
  made->rank = handle.member->rank();
  made->nRanks = handle.member->ranks();
  made->lsaRank = reached.rank;
  made->lsaSize = reached.nRanks;
  made->resourceWindow = reinterpret_cast<ncclWindow_t>(
      new DeviceEnd{.member = handle.member, .barriers = requirements->lsaBarrierCount});
  ++handle.device_communicators;
  return ncclSuccess;
}

ncclResult_t ncclDevCommDestroy(ncclComm_t comm, const ncclDevComm_t* made) {
  DeviceEnd& end = *reinterpret_cast<DeviceEnd*>(made->resourceWindow);
  if (end.member.lock() != handle_of(comm).member || end.is_gone.exchange(true))
    return ncclInvalidArgument;
  --handle_of(comm).device_communicators;
  return ncclSuccess;
}

}  // extern "C"
#endif
