#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sim/core/statistics.hpp"
#include "sim/formats/step_logs/steady_steps.hpp"

namespace tofn {
inline namespace formats {

/// Returns the indices at which the level of a run's times changes: the medians on both sides
/// differ by more than 5 %, and nine of ten times of each side lie less than a quarter of the way
/// to the other's. Levels of fewer than 5 times, or a twentieth of the run, do not count; at the
/// start neither do levels of fewer than 10, or a tenth, since these are warm-up (assumed). Empty
/// if one level holds or times grow step by step.
std::vector<std::size_t> changes_of(Values seconds);

/// Splits a run's steps where their level changes; one part if it does not.
std::vector<std::span<const LoggedStep>> regimes_of(std::span<const LoggedStep>);

}  // namespace formats
}  // namespace tofn
