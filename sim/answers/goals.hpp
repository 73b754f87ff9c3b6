#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "sim/answers/scorecard_answer.hpp"

namespace tofn {
inline namespace answers {

/// A target for an error, met or not.
struct Goal {
  std::string_view row;     ///< name of the scorecard's row
  std::string_view figure;  ///< name for people
  double Accuracy::*of;     ///< the figure of that row
  double request;           ///< the largest value that meets the goal
  std::string_view since;   ///< the day it was set, and the value that a test allows
};

/// All goals, met or not.
std::span<const Goal> goals();

/// Current value of a goal's figure; absent if its row is not scored.
std::optional<double> reached(const Goal&, std::span<const ScorecardRow>);

}  // namespace answers
}  // namespace tofn
