#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/measurements/step_log.hpp"
#include "sim/parallelism/run_settings.hpp"

namespace tofn {
inline namespace config {

/// Steps of one workload on one machine: what `tofn calibrate --steps` writes.
struct StepProfile {
  std::string name;
  std::string workload;    ///< a name of workloads/, or a file (.yaml)
  std::string cluster;     ///< a name of clusters/, or a file (.yaml)
  RunSettings settings{};  ///< what all rows share; the release too, empty where none is stated
  std::vector<MeasuredStep> rows{};
};

/// Mistakes are InputErrors at file, line and column. Files that the profile names count from its
/// own folder; what is returned counts from the working directory.
StepProfile load_step_profile(const std::filesystem::path&);

/// What load_step_profile reads back as it was, times to 15 digits, from a file in `folder`.
std::string to_yaml(const StepProfile&, const std::filesystem::path& folder);

}  // namespace config
}  // namespace tofn
