#pragma once

#include <functional>
#include <optional>
#include <string>

#include "microbench/harness/team.hpp"

namespace tofn::bench {

/// What started this process as one of many: `mpirun`, `srun`; absent when it was started alone.
std::optional<std::string> launcher();

/// Whether the launcher calls this process its first, as far as the environment tells.
bool is_first_process();

/// Waits until a launcher has read what a process says before it ends with an error: Open MPI drops
/// what it has not read of the ranks as soon as one of them has ended so. Alone: returns at once.
void let_launcher_read();

/// Whether the ranks are processes that MPI joins.
bool uses_mpi(bool needs_mpi);

/// Runs `work` on every rank and returns the exit code: over MPI where a launcher started several
/// processes or `needs_mpi`, else on `threads` threads of this process. InputError where this
/// program was built without the MPI that it would need.
int launch(int argc, char** argv, bool needs_mpi, int threads,
           const std::function<int(Team&)>& work);

}  // namespace tofn::bench
