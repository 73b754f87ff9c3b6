#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/simulation/recorded_step.hpp"

namespace tofn {
inline namespace answers {

/// Activity that the reduction of buckets overlaps with: the backward pass, or nothing. The
/// prediction of both is equal.
inline constexpr std::array<std::string_view, 2> reduction_overlaps{"backward", "nothing"};

/// One run: the predicted step on several ranks, and its measurements.
struct ScaledRun {
  RecordedStep alone;
  ScaledStep predicted;
  std::vector<RecordedStep> measured;  ///< empty, or one for each of `reduction_overlaps`

  /// Error of the prediction against the measured step, in %.
  double error(std::size_t overlap) const;
  Seconds part(StepPart) const;
};

/// Files that a prediction of a step on several ranks is made from; one of each kind per run.
struct StepRecords {
  std::vector<std::string> records;  ///< of the step on one rank
  std::vector<std::string>
      calibrations;                   ///< measured all-reduces: names of calibrations/, or .yaml
  std::vector<std::string> measured;  ///< of the step on several ranks; empty if not measured
};

/// Predicts each run. InputError at a file that does not hold the expected records.
std::vector<ScaledRun> step_record_answer(const StepRecords&, int ranks,
                                          const std::filesystem::path& configs);

}  // namespace answers
}  // namespace tofn
