#pragma once

#include <optional>

#include <nccl.h>

#include "microbench/collective/library_communicator.hpp"

namespace tofn::bench {

/// A call with NCCL's types.
struct NcclCall {
  const Call& call;
  ncclDataType_t type = ncclFloat32;
  Member member;
  ncclComm_t group = nullptr;
  cudaStream_t stream = nullptr;
  int turn = 0;  ///< number of earlier calls: selects the root, or the direction of a ping-pong
};

/// Enqueues one call on the stream. Throws std::runtime_error that names the failed NCCL function.
using NcclFunction = void (*)(const NcclCall&);

/// NCCL function of an operation; every operation has one.
NcclFunction nccl_function(const Operation&);

/// NCCL type of the elements; absent if this NCCL cannot reduce them.
std::optional<ncclDataType_t> nccl_type(const ElementType&, const Operation&);

}  // namespace tofn::bench
