#include "sim/expense/goodput.hpp"

#include <vector>

#include "sim/core/common_draws.hpp"
#include "sim/core/random.hpp"
#include "sim/core/statistics.hpp"

namespace tofn {
inline namespace expense {
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
  const Interruptions typical{.mean_between = default_time_to_failure / accelerators,
                              .checkpoint = default_checkpoint,
                              .restart = default_restart};
  CommonDraws draws(DrawStream::Site, default_seed);
  std::vector<double> drawn(sample_count);
  for (double& each : drawn) {
    draws.next();
    InterruptionDeviations deviations;
    for (double& deviation : deviations) deviation = draws.normal();
    each = training / interrupted(training, drawn_interruptions(typical, {}, deviations)).expected;
  }
  const double expected = training / interrupted(training, typical).expected;
  const Interval range = sampled_interval(drawn, expected);
  return {.expected = expected, .low = range.low, .high = range.high};
}

}  // namespace expense
}  // namespace tofn
