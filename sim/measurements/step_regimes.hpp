#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sim/core/statistics.hpp"
#include "sim/measurements/steady_steps.hpp"

namespace tofn {
inline namespace measurements {

/// The indices from which a run's times hold another level: medians beside each differ by more than
/// 5 %, and nine of ten times of each side lie less than a quarter of the way to the other's.
/// Levels of fewer than 5 times, or a twentieth of the run, are none, and of fewer than 10, or a
/// tenth, at its start neither, since these are its warm-up (assumed). Empty where one level holds
/// or times grow step by step.
std::vector<std::size_t> changes_of(Values seconds);

/// A run's steps cut where they turned; one part where they did not.
std::vector<std::span<const LoggedStep>> regimes_of(std::span<const LoggedStep>);

}  // namespace measurements
}  // namespace tofn
