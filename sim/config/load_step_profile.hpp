#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/formats/step_logs/step_log.hpp"
#include "sim/model/fine_tuning.hpp"
#include "sim/parallelism/run_settings.hpp"

namespace tofn {
inline namespace config {

/// Steps of one workload on one machine, as `tofn calibrate --steps` writes them.
struct StepProfile {
  std::string name;
  std::string workload;    ///< a name of workloads/, or a file (.yaml)
  std::string cluster;     ///< a name of clusters/, or a file (.yaml)
  RunSettings settings{};  ///< shared by all rows; release empty if not stated
  std::vector<MeasuredStep> rows{};
};

/// Steps of one model on one machine with one stack, as `tofn calibrate --steps --model` writes
/// them.
struct ModelSteps {
  std::string name;
  std::string model;                     ///< a name of models/, or a file
  std::optional<int> sequence_length{};  ///< tokens per sample; absent: the model's
  FineTuning fine_tuning{};
  std::string cluster;               ///< a name of clusters/, or a file
  std::string stack;                 ///< a name of stacks/, or a file
  std::vector<MeasuredStep> rows{};  ///< with their plans
};

/// True if the step profile is of a model, not of a workload.
bool is_of_model(const std::filesystem::path& step_profile);

/// Reads a step profile. Mistakes are InputErrors with file, line and column. File names in it are
/// relative to its folder, and those returned to the working directory.
StepProfile load_step_profile(const std::filesystem::path&);
ModelSteps load_model_steps(const std::filesystem::path&);

/// Returns text for a file in `folder` that these functions read back unchanged; times have 15
/// digits.
std::string to_yaml(const StepProfile&, const std::filesystem::path& folder);
std::string to_yaml(const ModelSteps&, const std::filesystem::path& folder);

}  // namespace config
}  // namespace tofn
