#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/measurements/step_log.hpp"
#include "sim/model/fine_tuning.hpp"
#include "sim/parallelism/plan.hpp"
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

/// A step that was measured, and the whole plan that it ran by.
struct ModelStepRow {
  std::string source;
  Plan plan;
  Seconds step{};
  double spread = 0;  ///< between single steps: robust standard deviation over the median
  int steps = 1;      ///< that the median is of
};

/// Steps of one model on one machine by one stack: what `tofn calibrate --steps --model` writes.
struct ModelSteps {
  std::string name;
  std::string model;                     ///< a name of models/, or a file
  std::optional<int> sequence_length{};  ///< tokens of a sample; absent: the model's own
  FineTuning fine_tuning{};
  std::string cluster;  ///< a name of clusters/, or a file
  std::string stack;    ///< a name of stacks/, or a file
  std::vector<ModelStepRow> rows{};
};

/// Whether a step profile is of a model, not of a workload.
bool is_of_model(const std::filesystem::path& step_profile);

/// Mistakes are InputErrors at file, line and column. Files that the profile names count from its
/// own folder; what is returned counts from the working directory.
StepProfile load_step_profile(const std::filesystem::path&);
ModelSteps load_model_steps(const std::filesystem::path&);

/// What those read back as it was, times to 15 digits, from a file in `folder`.
std::string to_yaml(const StepProfile&, const std::filesystem::path& folder);
std::string to_yaml(const ModelSteps&, const std::filesystem::path& folder);

}  // namespace config
}  // namespace tofn
