#pragma once

namespace tofn::standin {

/// What can be made to go wrong: TOFN_STANDIN_FAULT=KIND[@N][/DEVICE], the N-th time (1) on this
/// device (all). The kinds' names are those of the table in fault.cpp.
enum class Fault {
  None,
  OutOfMemory,        ///< the N-th cudaMalloc or ncclMemAlloc
  EccError,           ///< the N-th kernel
  AsynchronousError,  ///< the N-th kernel
  FailingCollective,  ///< the N-th call of NCCL on a stream; likewise those below
  Hang,
  WrongResult,
  DeadRank,
  ThrottledClock,       ///< from the start
  NoAlgorithm,          ///< the N-th question for an algorithm of cuBLASLt finds none
  SplitDomain,          ///< from the start: loads and stores reach no other rank's memory
  NoSymmetricMemory,    ///< from the start: NCCL takes windows, and they are not symmetric
  OtherNccl,            ///< from the start, on device 0: NCCL is of the next minor version
  HangingRegistration,  ///< the N-th memory to be registered with NCCL
  FailingJoin,          ///< the N-th communicator of NCCL to be joined
};

/// Counts one more time that it could happen on this device; whether it does.
bool strikes(Fault, int device);
/// Whether it was asked for on this device, at whatever time.
bool is_asked(Fault, int device);

}  // namespace tofn::standin
