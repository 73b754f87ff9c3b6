#pragma once

#include <array>
#include <string_view>

#include "sim/expense/expense.hpp"

namespace tofn {
inline namespace expense {

/// A default figure of interruptions, with the standard deviation of its logarithm between sites. A
/// stated option has no such uncertainty.
struct InterruptionUncertainty {
  std::string_view name;
  Seconds typical;
  Seconds Interruptions::*figure;
  std::optional<Seconds> ExpenseOptions::*stated;
  double deviation;
};

/// Failures per accelerator-hour: 1.2e-5 and 3.4e-5 (Meta's RSC-2 and RSC-1, arXiv 2410.21680),
/// 1.4e-5 (GLM-130B), 1.6e-5 (BLOOM), 2.0e-5 (Llama 3), 8e-5 (OPT), from their logs and papers.
/// Restarts: 15 minutes if automatic (MegaScale, arXiv 2402.15627), up to 3 h of BLOOM by hand,
/// taken as the 95th percentile. Checkpoints stop the steps for 0.6 s (ByteCheckpoint, arXiv
/// 2407.20143) to 5 minutes (RSC), taken as the 5th and the 95th percentile.
inline constexpr std::array interruption_uncertainties{
    InterruptionUncertainty{"time to a failure", default_time_to_failure,
                            &Interruptions::mean_between, &ExpenseOptions::time_to_failure, 0.71},
    InterruptionUncertainty{"restart", default_restart, &Interruptions::restart,
                            &ExpenseOptions::restart, 1.5},
    InterruptionUncertainty{"checkpoint", default_checkpoint, &Interruptions::checkpoint,
                            &ExpenseOptions::checkpoint, 1.9}};

/// Deviations of one sample from the defaults, in standard deviations.
using InterruptionDeviations = std::array<double, interruption_uncertainties.size()>;
/// Samples the figures that are not stated.
Interruptions drawn_interruptions(Interruptions, const ExpenseOptions& stated,
                                  const InterruptionDeviations&);

/// Share of a run's time that trains with the default interruptions, restarts and checkpoints, and
/// its 90 % interval over sites that differ in them.
struct Goodput {
  double expected = 1;
  double low = 1;
  double high = 1;
};

/// `training`: time of a run's steps, above 0.
Goodput default_goodput(int accelerators, Seconds training);

}  // namespace expense
}  // namespace tofn
