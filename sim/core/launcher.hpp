#pragma once

#include <optional>
#include <string>

namespace tofn {

/// What started this process as one of many: `mpirun`, `srun`; absent when it was started alone.
/// Reads the environment only.
std::optional<std::string> launcher();

/// Whether the launcher calls this process its first, as far as the environment tells.
bool is_first_process();

/// Waits until a launcher has read what a process says before it ends with an error: Open MPI drops
/// what it has not read of the ranks as soon as one of them has ended so. Alone: returns at once.
void let_launcher_read();

}  // namespace tofn
