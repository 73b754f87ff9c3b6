#include "sim/scaling/critical_size.hpp"

namespace tofn {
inline namespace scaling {

std::optional<int> critical_size(const AccountOf& account_of, const SizeRange& sizes) {
  // A long counter: the last size may stand near the largest int.
  for (long size = sizes.first; size <= sizes.last; size += sizes.stride) {
    const auto account = account_of(static_cast<int>(size));
    if (account && account->communication >= account->computation()) return static_cast<int>(size);
  }
  return {};
}

std::optional<double> crossover(const StepTimes& step, int accelerators) {
  if (step.communication <= Seconds{}) return {};
  return (part(step.parts, StepPart::Compute) * accelerators + part(step.parts, StepPart::Launch)) /
         step.communication;
}

}  // namespace scaling
}  // namespace tofn
