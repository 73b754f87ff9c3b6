#pragma once

#include <stdexcept>
#include <string>

#include <mpi.h>

namespace tofn::bench {

/// Throws std::runtime_error `MPI_Allreduce: <the library's message>` if `code` is an error.
void check_mpi(int code, const char* call);

}  // namespace tofn::bench
