#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/config/library.hpp"
#include "sim/validation/formula.hpp"

namespace tofn {
inline namespace evidence {

/// Possible clusters of a log, and the evidence for them.
struct MachineOfLog {
  std::vector<const Cluster*> candidates;  ///< one: known; several: the user must choose
  std::string by;                          ///< evidence, such as `its rank lines ('NVIDIA H200')`;
                                           ///< empty if there is none

  const Cluster* cluster() const { return candidates.size() == 1 ? candidates.front() : nullptr; }
};

/// The machine of a log, from the first of these that names an accelerator: the cluster that a
/// calibration states; a shipped table of the same rows; the log's rank lines; its `# source:`
/// line; whole words of its file's name.
MachineOfLog machine_of_log(const CollectiveTable&, const std::filesystem::path& log,
                            const Library&, const Knowledge&);

/// Advice to choose a cluster: `give --cluster, one with the accelerator of its rank lines ('NVIDIA
/// H200'): a, b`
std::string which_cluster(const MachineOfLog&);

/// InputError at `--cluster` if the log's rank lines name known accelerators, and none of them is
/// on the die of the cluster's.
void require_machine_of_log(const Cluster&, const std::filesystem::path& log, const Library&);

/// Device names in the rank lines of a benchmark's log (`# Rank 0 ... [0x1b] NVIDIA H200`).
std::vector<std::string> devices_of_ranks(const std::string& log);

}  // namespace evidence
}  // namespace tofn
