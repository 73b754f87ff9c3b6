#include "sim/expense/goodput.hpp"

#include <vector>

#include "sim/core/random.hpp"
#include "sim/core/statistics.hpp"

namespace tofn {
inline namespace expense {
namespace {

constexpr int draws = 2000;
constexpr std::uint64_t seed = 1;

}  // namespace

Interruptions drawn_interruptions(Interruptions by, const ExpenseOptions& stated,
                                  const InterruptionDeviations& deviations) {
  for (std::size_t i = 0; i < interruption_uncertainties.size(); ++i) {
    const InterruptionUncertainty& uncertainty = interruption_uncertainties[i];
    if (!(stated.*uncertainty.stated))
      by.*uncertainty.figure *= Distribution{uncertainty.deviation}.draw(1, deviations[i]);
  }
  return by;
}

Goodput default_goodput(int accelerators, Seconds training) {
  const Interruptions usual{.mean_between = default_time_to_failure / accelerators,
                            .checkpoint = default_checkpoint,
                            .restart = default_restart};
  Random random(seed);
  std::vector<double> drawn(draws);
  for (double& each : drawn) {
    InterruptionDeviations deviations;
    for (double& deviation : deviations) deviation = random.normal();
    each = training / interrupted(training, drawn_interruptions(usual, {}, deviations)).expected;
  }
  const Interval range = ninety_percent_interval(drawn);
  return {.expected = training / interrupted(training, usual).expected,
          .low = range.low,
          .high = range.high};
}

}  // namespace expense
}  // namespace tofn
