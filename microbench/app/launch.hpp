#pragma once

#include <functional>

#include "microbench/harness/team.hpp"

namespace tofn::bench {

/// Whether the ranks are processes that MPI joins.
bool uses_mpi(bool needs_mpi);

/// Runs `work` on every rank and returns the exit code: over MPI where a launcher started several
/// processes or `needs_mpi`, else on `threads` threads of this process. InputError where this
/// program was built without the MPI that it would need.
int launch(int argc, char** argv, bool needs_mpi, int threads,
           const std::function<int(Team&)>& work);

}  // namespace tofn::bench
