#include "sim/scaling/critical_size.hpp"

namespace tofn {
inline namespace scaling {

std::optional<int> critical_size(const AccountOf& account_of, const SizeRange& sizes) {
  std::optional<int> smallest;
  for (int left = (sizes.last - sizes.first) / sizes.stride; left >= 0; --left) {
    const int size = sizes.first + left * sizes.stride;
    const auto account = account_of(size);
    if (!account) continue;
    if (account->communication < account->computation()) break;
    smallest = size;
  }
  return smallest;
}

std::optional<double> crossover(const StepTimes& step, int accelerators) {
  if (step.communication <= Seconds{}) return {};
  return (part(step.parts, StepPart::Compute) * accelerators + part(step.parts, StepPart::Launch)) /
         step.communication;
}

}  // namespace scaling
}  // namespace tofn
