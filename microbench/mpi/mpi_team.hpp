#pragma once

#include <functional>
#include <string>

#include "microbench/harness/team.hpp"

namespace tofn::bench {

/// Runs `work` on this process's rank of MPI_COMM_WORLD and returns its exit code.
int run_mpi(int argc, char** argv, const std::function<int(Team&)>& work);

/// Library and standard, such as `Open MPI v4.1.4, MPI 3.1`; may be called before run_mpi.
std::string mpi_library();

}  // namespace tofn::bench
