#include "sim/scaling/critical_size.hpp"

namespace tofn {

std::optional<int> critical_size(const AccountOf& account_of, const SizeRange& sizes) {
  // A long counter: the last size may stand near the largest int.
  for (long size = sizes.first; size <= sizes.last; size += sizes.stride) {
    const auto account = account_of(static_cast<int>(size));
    if (account && account->communication >= account->computation()) return static_cast<int>(size);
  }
  return {};
}

std::optional<double> crossover(const StepAccount& step, int accelerators) {
  if (step.communication <= Seconds{}) return {};
  return (step.arithmetic * accelerators + step.overhead) / step.communication;
}

}  // namespace tofn
