#pragma once

#include <array>
#include <string_view>

#include "sim/expense/expense.hpp"

namespace tofn {
inline namespace expense {

/// One of the usual figures of interruptions, and the standard deviation of its logarithm between
/// sites. Who states the option knows his own.
struct InterruptionUncertainty {
  std::string_view name;
  Seconds usual;
  Seconds Interruptions::*figure;
  std::optional<Seconds> ExpenseOptions::*stated;
  double deviation;
};

/// Failures of an accelerator-hour: 1.2e-5 and 3.4e-5 (Meta's RSC-2 and RSC-1, arXiv 2410.21680),
/// 1.4e-5 (GLM-130B), 1.6e-5 (BLOOM), 2.0e-5 (Llama 3), 8e-5 (OPT), from their logs and papers.
/// Restarts: 15 minutes where they are automatic (MegaScale, arXiv 2402.15627), up to 3 h of BLOOM
/// where people make them, taken for the 95th percentile. Checkpoints hold steps up for 0.6 s
/// (ByteCheckpoint, arXiv 2407.20143) to 5 minutes (RSC), taken for the 5th percentile and the
/// 95th.
inline constexpr std::array interruption_uncertainties{
    InterruptionUncertainty{"time to a failure", default_time_to_failure,
                            &Interruptions::mean_between, &ExpenseOptions::time_to_failure, 0.71},
    InterruptionUncertainty{"restart", default_restart, &Interruptions::restart,
                            &ExpenseOptions::restart, 1.5},
    InterruptionUncertainty{"checkpoint", default_checkpoint, &Interruptions::checkpoint,
                            &ExpenseOptions::checkpoint, 1.9}};

/// Standard deviations that a draw of them stands from the usual.
using InterruptionDeviations = std::array<double, interruption_uncertainties.size()>;
/// What is not stated, drawn.
Interruptions drawn_interruptions(Interruptions, const ExpenseOptions& stated,
                                  const InterruptionDeviations&);

/// Share of a run's time that trains where interruptions, restarts and checkpoints are the usual
/// ones, and between what sites that differ in them would be in nine of ten cases.
struct Goodput {
  double expected = 1;
  double low = 1;
  double high = 1;
};

/// `training`: of a run's steps, above 0.
Goodput default_goodput(int accelerators, Seconds training);

}  // namespace expense
}  // namespace tofn
