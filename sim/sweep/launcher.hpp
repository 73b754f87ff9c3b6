#pragma once

#include <optional>
#include <string>

namespace tofn {

/// What started this process as one of several (mpirun, a PMI launcher); absent when alone. Reads
/// the environment only.
std::optional<std::string> launcher();

/// Whether the launcher calls this process its first; true when alone.
bool is_first_process();

/// Threads of one process: one under a launcher, else as many as this process may use processors.
int default_threads();

}  // namespace tofn
