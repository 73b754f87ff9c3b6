#pragma once

#include <string_view>
#include <vector>

#include "sim/formats/text/log_text.hpp"
#include "sim/formats/text/stated_placement.hpp"

namespace tofn {
inline namespace formats {

/// Returns ranks and nodes of `srun -N 4 --ntasks-per-node=8 ...`, `mpirun -np 16 --map-by
/// ppr:8:node ...`, `torchrun --nnodes 2 --nproc-per-node 8 ...`. Accelerators per process, `-g`
/// and `-t` of nccl-tests, count as ranks. Of nested launchers the last one counts, with the nodes
/// of earlier ones if it states none.
StatedPlacement placement_of_command(std::string_view command);

/// A command that states ranks or nodes, and its first line.
struct StatedCommand {
  LogLine line;
  StatedPlacement placement;
};

/// Returns the commands of a log in order; a line that ends in `\` continues on the next.
std::vector<StatedCommand> stated_commands(const LogText& log);

}  // namespace formats
}  // namespace tofn
