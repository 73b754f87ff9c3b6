#pragma once

#include <functional>

#include "microbench/harness/team.hpp"

namespace tofn::bench {

/// True if the ranks are processes joined by MPI.
bool uses_mpi(bool needs_mpi);

/// Runs `work` on every rank and returns the exit code. Ranks are processes over MPI if a launcher
/// started several or `needs_mpi` is true, else `threads` threads of this process. InputError if
/// the program was built without the MPI that it needs.
int launch(int argc, char** argv, bool needs_mpi, int threads,
           const std::function<int(Team&)>& work);

}  // namespace tofn::bench
