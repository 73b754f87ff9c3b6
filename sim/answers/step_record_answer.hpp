#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/simulation/recorded_step.hpp"

namespace tofn {
inline namespace answers {

/// How buckets were reduced: beside backward, or after it. The prediction of both is the same.
inline constexpr std::array<std::string_view, 2> reduction_overlaps{"backward", "nothing"};

/// One run: a prediction, and what was measured of it.
struct ScaledRun {
  RecordedStep alone;
  ScaledStep predicted;
  std::vector<RecordedStep> measured;  ///< empty, or one for each of `reduction_overlaps`

  /// Of the measured one, in %.
  double error(std::size_t overlap) const;
  Seconds part(StepPart) const;
};

/// Files with what a prediction of several ranks' step rests on: one of each kind a run.
struct StepRecords {
  std::vector<std::string> records;  ///< of the step on one rank
  std::vector<std::string>
      calibrations;                   ///< measured all-reduces: names of calibrations/, or .yaml
  std::vector<std::string> measured;  ///< of that step on several ranks; empty: it was not
};

/// InputError at the file that does not hold what it should.
std::vector<ScaledRun> step_record_answer(const StepRecords&, int ranks,
                                          const std::filesystem::path& configs);

}  // namespace answers
}  // namespace tofn
