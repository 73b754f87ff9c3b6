#pragma once

#include <stdexcept>
#include <string>

#include <mpi.h>

namespace tofn::bench {

/// Throws std::runtime_error `MPI_Allreduce: <what the library says>` unless it succeeded.
void check_mpi(int code, const char* call);

}  // namespace tofn::bench
