#pragma once

#include <cstdint>
#include <vector>

#include "sim/training/job.hpp"

namespace tofn {
inline namespace answers {

inline constexpr int run_draws = 2000;  // a chance of 0.9 within 0.007

/// Of each draw of what a run's steps rest on, its time over the expected one. Runs share draws:
/// of the software's doubts all of them, of links' doubts those on the same cluster.
std::vector<double> drawn_time_factors(const JobEstimate&);

}  // namespace answers
}  // namespace tofn
