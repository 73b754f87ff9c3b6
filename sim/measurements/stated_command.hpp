#pragma once

#include <string_view>
#include <vector>

#include "sim/measurements/log_text.hpp"
#include "sim/measurements/stated_placement.hpp"

namespace tofn {
inline namespace measurements {

/// Ranks and nodes of `srun -N 4 --ntasks-per-node=8 ...`, `mpirun -np 16 --map-by ppr:8:node ...`,
/// `torchrun --nnodes 2 --nproc-per-node 8 ...`. Accelerators of a process, `-g` and `-t` of
/// nccl-tests behind it, are ranks each. Of launchers that start each other the last one counts,
/// with the nodes of those before it where it says none.
StatedPlacement placement_of_command(std::string_view command);

/// A command that says ranks or nodes, and the line where it begins.
struct StatedCommand {
  LogLine line;
  StatedPlacement placement;
};

/// Those of a log in its order; a line that ends in `\` goes on in the next.
std::vector<StatedCommand> stated_commands(const LogText& log);

}  // namespace measurements
}  // namespace tofn
