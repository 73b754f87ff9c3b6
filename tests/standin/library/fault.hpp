#pragma once

namespace tofn::standin {

/// Faults that TOFN_STANDIN_FAULT=KIND[@N][/DEVICE] causes, the N-th time (default 1) on this
/// device (default all). The table in fault.cpp has the names of the kinds.
enum class Fault {
  None,
  OutOfMemory,        ///< the N-th cudaMalloc or ncclMemAlloc
  EccError,           ///< the N-th kernel
  AsynchronousError,  ///< the N-th kernel
  FailingCollective,  ///< the N-th call of NCCL on a stream, as for the next three
  Hang,
  WrongResult,
  DeadRank,
  ThrottledClock,       ///< from the start
  NoAlgorithm,          ///< the N-th search for an algorithm of cuBLASLt finds none
  SplitDomain,          ///< from the start: loads and stores reach no other rank's memory
  NoSymmetricMemory,    ///< from the start: NCCL takes windows, but not as symmetric ones
  OtherNccl,            ///< from the start, on device 0: NCCL has the next minor version
  HangingRegistration,  ///< the N-th registration of memory with NCCL
  FailingJoin,          ///< the N-th communicator of NCCL to join
};

/// Counts one more occasion for the fault on this device; true if the fault happens now.
bool strikes(Fault, int device);
/// True if the fault was requested for this device, at any time.
bool is_requested(Fault, int device);

}  // namespace tofn::standin
