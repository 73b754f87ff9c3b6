#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "sim/answers/scorecard_answer.hpp"

namespace tofn {
inline namespace answers {

/// An error that was asked for, whether or not it is reached.
struct Goal {
  std::string_view row;     ///< of the scorecard
  std::string_view figure;  ///< for people
  double Accuracy::*of;     ///< its share
  double asked;             ///< at most
  std::string_view since;   ///< the day it was asked for, and what a test allows beside it
};

/// The goals that stand, met or not.
std::span<const Goal> goals();

/// Today's figure of a goal; absent: its row is not scored.
std::optional<double> reached(const Goal&, std::span<const ScorecardRow>);

}  // namespace answers
}  // namespace tofn
