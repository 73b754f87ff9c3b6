#pragma once

#include <optional>

#include <nccl.h>

#include "microbench/collective/library_communicator.hpp"

namespace tofn::bench {

/// A call as NCCL takes it.
struct NcclCall {
  const Call& call;
  ncclDataType_t type = ncclFloat32;
  Member member;
  ncclComm_t group = nullptr;
  cudaStream_t stream = nullptr;
  int turn = 0;  ///< counts the calls: whose root it is, which way a ping-pong goes
};

/// Puts one call on the stream; throws std::runtime_error naming the NCCL function that failed.
using NcclFunction = void (*)(const NcclCall&);

/// The table's row of an operation; every operation has one.
NcclFunction nccl_function(const Operation&);

/// The type that carries the elements; absent where this NCCL cannot reduce them.
std::optional<ncclDataType_t> nccl_type(const ElementType&, const Operation&);

}  // namespace tofn::bench
