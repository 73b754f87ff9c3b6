#pragma once

#include <functional>
#include <optional>

#include "sim/scaling/scaled_point.hpp"

namespace tofn {
inline namespace scaling {

/// The step on that many accelerators; absent where the job does not split over them.
using AccountOf = std::function<std::optional<StepTimes>(int accelerators)>;

/// Sizes from `first` to `last` in steps of `stride`.
struct SizeRange {
  int first = 1;
  int last = 1;
  int stride = 1;
};

/// N_crit: the size from which on all communication of a step, hidden or not, takes as long as its
/// computation or longer, on it and every larger one that the job splits over; absent: not on the
/// largest.
std::optional<int> critical_size(const AccountOf&, const SizeRange&);

/// The textbook's crossover N = T_comp(1)/t_comm: how many accelerators would compute the step of
/// `step` (on `accelerators`) in the time that it communicates, if arithmetic shrank as 1/N and the
/// rest stayed. Absent: it does not communicate.
std::optional<double> crossover(const StepTimes& step, int accelerators);

}  // namespace scaling
}  // namespace tofn
