#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/quantity.hpp"

namespace tofn {
inline namespace measurements {

/// The optimizer step of one configuration, as a training log has it.
struct MeasuredStep {
  std::string source{};
  int accelerators = 1;
  double global_batch = 1;
  int tensor_parallel_size = 1;
  int context_parallel_size = 1;
  int pipeline_parallel_size = 1;
  int gradient_accumulation = 1;
  Seconds step{};     ///< median, without warm-up and outliers
  double spread = 0;  ///< between single steps: robust standard deviation over the median
  int steps = 1;      ///< that the median is of
};

/// What the user says where a log does not.
struct StepHints {
  std::optional<int> accelerators{};
  std::optional<double> global_batch{};
  std::optional<int> tensor_parallel_size{};
  std::optional<int> context_parallel_size{};
  std::optional<int> pipeline_parallel_size{};
  std::optional<int> gradient_accumulation{};
};

struct StepReading {
  std::vector<MeasuredStep> steps{};
  std::vector<std::string> remarks{};  ///< `file:line: what was left out, and by which rule`
};

/// Steps of a log in any known format. InputError at the first line that is wrong, for a size that
/// neither the log nor a hint says, and where they contradict each other.
StepReading read_step_log(std::string_view text, const std::string& file,
                          const StepHints& hints = {});

}  // namespace measurements
}  // namespace tofn
