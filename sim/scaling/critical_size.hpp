#pragma once

#include <functional>
#include <optional>

#include "sim/scaling/scaled_point.hpp"

namespace tofn {
inline namespace scaling {

/// The step on `accelerators`; absent if the job does not split over them.
using AccountOf = std::function<std::optional<StepTimes>(int accelerators)>;

/// Sizes from `first` to `last` in steps of `stride`.
struct SizeRange {
  int first = 1;
  int last = 1;
  int stride = 1;
};

/// N_crit: the smallest size from which on all communication of a step, overlapped or exposed,
/// takes at least as long as its computation; absent if it does not on the largest size that the
/// job splits over. Found by bisection, since the share of communication grows with the size.
std::optional<int> critical_size(const AccountOf&, const SizeRange&);

/// The textbook's crossover N = T_comp(1)/t_comm: number of accelerators that would compute `step`
/// (on `accelerators`) in the time that it communicates, if arithmetic shrank as 1/N and
/// communication stayed. Absent if it does not communicate.
std::optional<double> crossover(const StepTimes& step, int accelerators);

}  // namespace scaling
}  // namespace tofn
