#pragma once

#include <optional>
#include <string>

namespace tofn {

/// Name of the launcher that started this process as one of many: `mpirun`, `srun`. Absent if the
/// process was started alone. Reads only the environment.
std::optional<std::string> launcher();

/// True if the environment says that this is the launcher's first process, or says nothing.
bool is_first_process();

/// Waits until the launcher has read the output of a process that is about to end with an error.
/// Open MPI drops the unread output of all ranks as soon as one rank has ended with an error.
/// Returns at once if the process was started alone.
void let_launcher_read();

}  // namespace tofn
