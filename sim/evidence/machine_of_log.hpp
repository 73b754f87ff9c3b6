#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/config/library.hpp"
#include "sim/validation/formula.hpp"

namespace tofn {
inline namespace evidence {

/// The clusters that a log may be of, and what says so.
struct MachineOfLog {
  std::vector<const Cluster*> candidates;  ///< one: known; several: a question
  std::string by;                          ///< `its rank lines ('NVIDIA H200')`; empty: nothing

  const Cluster* cluster() const { return candidates.size() == 1 ? candidates.front() : nullptr; }
};

/// By the first of these that names an accelerator: the cluster that a calibration states; a
/// shipped table of the same rows; the log's rank lines; its `# source:` line; whole words of its
/// file's name.
MachineOfLog machine_of_log(const CollectiveTable&, const std::filesystem::path& log,
                            const Library&, const Knowledge&);
/// Of a log that cannot be read as tables: by its rank lines and its name alone.
MachineOfLog machine_of_log(const std::filesystem::path& log, const Library&);

/// `give --cluster, one with the accelerator of its rank lines ('NVIDIA H200'): a, b`
std::string which_cluster(const MachineOfLog&);

/// InputError at `--cluster` where the log's rank lines name known accelerators, and none of them
/// on the die of this known one.
void require_machine_of_log(const Cluster&, const std::filesystem::path& log, const Library&);

/// What the rank lines of a benchmark's log call the devices (`# Rank 0 ... [0x1b] NVIDIA H200`).
std::vector<std::string> devices_of_ranks(const std::string& log);

}  // namespace evidence
}  // namespace tofn
