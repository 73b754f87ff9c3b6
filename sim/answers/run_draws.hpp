#pragma once

#include <cstdint>
#include <vector>

#include "sim/answers/usual_hours.hpp"
#include "sim/training/job.hpp"

namespace tofn {
inline namespace answers {

inline constexpr int run_draws = 2000;  // a chance of 0.9 within 0.007

/// Of each draw of what a run's steps rest on, its time over the expected one. Runs share draws:
/// of the software's doubts all of them, of links' doubts those on the same cluster.
std::vector<double> drawn_time_factors(const JobEstimate&);

/// What runs took over the hours that are simulated of them under the shortest plan: learnt from
/// all published ones (`validate runs` holds others of it against those that it leaves out). Their
/// steps' doubts are in it, so that both together are some 4 % wider than the runs were.
inline constexpr UsualHours published_excess{.weight = 1, .factor = 1.60, .spread = 2.39};
inline constexpr UsualHours no_excess{.weight = 1};

/// The same factors, each times a draw of that excess, which all runs share.
std::vector<double> with_excess(std::vector<double> time_factors, const UsualHours& excess);

}  // namespace answers
}  // namespace tofn
