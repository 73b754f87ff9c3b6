#include "sim/expense/goodput.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/core/statistics.hpp"
#include "sim/expense/expense.hpp"

namespace tofn {
inline namespace expense {
namespace {

/// One of the usual figures, and the standard deviation of its logarithm between sites.
struct Doubt {
  Seconds Interruptions::*figure;
  double deviation;
};

/// Failures of an accelerator-hour: 1.2e-5 and 3.4e-5 (Meta's RSC-2 and RSC-1, arXiv 2410.21680),
/// 1.4e-5 (GLM-130B), 1.6e-5 (BLOOM), 2.0e-5 (Llama 3), 8e-5 (OPT), from their logs and papers.
/// Restarts: 15 minutes where they are automatic (MegaScale, arXiv 2402.15627), up to 3 h of BLOOM
/// where people make them, taken for the 95th percentile. Checkpoints hold steps up for 0.6 s
/// (ByteCheckpoint, arXiv 2407.20143) to 5 minutes (RSC), taken for the 5th percentile and the
/// 95th.
constexpr std::array doubts{Doubt{&Interruptions::mean_between, 0.71},
                            Doubt{&Interruptions::restart, 1.5},
                            Doubt{&Interruptions::checkpoint, 1.9}};

double lost_share(Seconds training, const Interruptions& by) {
  return 1 - training / interrupted(training, by).expected;
}

}  // namespace

Goodput usual_goodput(int accelerators, Seconds training) {
  const Interruptions usual{.mean_between = usual_time_to_failure / accelerators,
                            .checkpoint = usual_checkpoint,
                            .restart = usual_restart};
  const double lost = lost_share(training, usual);
  double more = 0;
  double less = 0;
  for (const Doubt& doubt : doubts)
    for (const double side : {-1.0, 1.0}) {
      Interruptions other = usual;
      other.*doubt.figure *= std::exp(side * ninety_percent_deviations * doubt.deviation);
      const double change = std::log(lost_share(training, other) / lost);
      (change > 0 ? more : less) += change * change;
    }
  const auto left = [lost](double change) { return std::max(0.0, 1 - lost * std::exp(change)); };
  return {.expected = 1 - lost, .low = left(std::sqrt(more)), .high = left(-std::sqrt(less))};
}

}  // namespace expense
}  // namespace tofn
