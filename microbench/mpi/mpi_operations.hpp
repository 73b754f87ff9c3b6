#pragma once

#include <mpi.h>

#include "microbench/collective/library_communicator.hpp"

namespace tofn::bench {

/// A call as MPI takes it.
struct MpiCall {
  const Call& call;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  int count = 0;
  Member member;
  int partner = 0;  ///< worked out once: a division would show beside the fastest calls
  MPI_Comm group = MPI_COMM_NULL;
  int turn = 0;  ///< counts the calls: whose root it is, which way a ping-pong goes
};

/// Makes one call; throws std::runtime_error naming the MPI function that failed.
using MpiFunction = void (*)(const MpiCall&);

/// The table's row of an operation; every operation has one.
MpiFunction mpi_function(const Operation&);

/// The type that carries the elements; MPI_DATATYPE_NULL where MPI cannot reduce them.
MPI_Datatype mpi_type(const ElementType&, const Operation&);

}  // namespace tofn::bench
