#pragma once

#include <mpi.h>

#include "microbench/collective/library_communicator.hpp"

namespace tofn::bench {

/// A call with MPI's types.
struct MpiCall {
  const Call& call;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  int count = 0;
  Member member;
  int partner = 0;  ///< computed once, because a division would show in the fastest calls
  MPI_Comm group = MPI_COMM_NULL;
  int turn = 0;  ///< number of earlier calls: selects the root, or the direction of a ping-pong
};

/// Makes one call. Throws std::runtime_error that names the failed MPI function.
using MpiFunction = void (*)(const MpiCall&);

/// MPI function of an operation; every operation has one.
MpiFunction mpi_function(const Operation&);

/// MPI type of the elements; MPI_DATATYPE_NULL if MPI cannot reduce them.
MPI_Datatype mpi_type(const ElementType&, const Operation&);

}  // namespace tofn::bench
