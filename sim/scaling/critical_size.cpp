#include "sim/scaling/critical_size.hpp"

namespace tofn {
inline namespace scaling {

std::optional<int> critical_size(const AccountOf& account_of, const SizeRange& sizes) {
  const auto size_of = [&](int index) { return sizes.first + index * sizes.stride; };
  const auto communicates = [](const StepTimes& step) {
    return step.communication >= step.computation();
  };
  int smallest = (sizes.last - sizes.first) / sizes.stride;
  std::optional<StepTimes> account;
  while (smallest >= 0 && !(account = account_of(size_of(smallest)))) --smallest;
  if (!account || !communicates(*account)) return {};
  int below = -1;  // the largest size known to communicate for less time than it computes
  for (int end = smallest; end - below > 1;) {
    const int middle = below + (end - below) / 2;
    int index = middle;
    account.reset();
    while (index < end && !(account = account_of(size_of(index)))) ++index;
    if (account && !communicates(*account)) {
      below = index;
    } else {
      if (account) smallest = index;
      end = middle;
    }
  }
  return size_of(smallest);
}

std::optional<double> crossover(const StepTimes& step, int accelerators) {
  if (step.communication <= Seconds{}) return {};
  return (part(step.parts, StepPart::Compute) * accelerators + part(step.parts, StepPart::Launch)) /
         step.communication;
}

}  // namespace scaling
}  // namespace tofn
