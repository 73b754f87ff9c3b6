#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/published/backtest.hpp"

namespace tofn {
inline namespace study {

/// Accelerator-time of a run as a product of factors. A loss between two runs is then exactly a
/// product of quotients, in any order.
struct RunFactors {
  double samples = 0;     ///< samples to target
  double step = 0;        ///< accelerator-seconds of steps per sample
  double evaluation = 1;  ///< steps and evaluations, over steps
  double start_up = 1;    ///< these and the time before the first step, over these without it
  double score = 1;       ///< the score over all of these: the benchmark's rule, and time that was
                          ///< not logged
};

/// Factors of `step`, for predicted steps.
struct StepFactors {
  double work = 0;           ///< accelerator-seconds per sample of arithmetic, overhead, optimizer
  double communication = 1;  ///< step with exposed communication over step without
  double waiting = 1;        ///< step with the wait for the slowest node over step without
};

/// Share of the efficiency that each factor keeps from a run on 8 accelerators to a larger one,
/// below 1 for a loss; `total` is their product, T_8 x 8 / (T_N x N).
struct Losses {
  double total = 1;
  double samples = 1, step = 1, evaluation = 1, start_up = 1, score = 1;
};

/// Factors of the predicted step's loss.
struct StepLosses {
  double granularity = 1;  ///< part of a step that does not shrink with its samples
  double communication = 1;
  double waiting = 1;
};

struct Waterfall {
  std::string workload;
  std::string accelerator;
  std::string system;       ///< `organisation/system`
  std::string base_system;  ///< `organisation/system`
  int accelerators = 0;
  bool evaluations_apart = true;  ///< false: the measured steps include them
  Losses measured;
  Losses predicted;
  StepLosses predicted_step;
  /// Measured over predicted step: a server other than the base's, and the model's error.
  double server = 1;
};

/// Waterfalls of scored rows with more than 8 accelerators that have a base, measured steps and a
/// prediction. The base has 8 of the same accelerator: the fastest system of the same organisation,
/// else the one of median time. If one of a pair logged no separate evaluations, the measured steps
/// of both include them. Ordered by first appearance of the workload, then by accelerators.
std::vector<Waterfall> waterfalls(std::span<const BacktestRow>);

}  // namespace study
}  // namespace tofn
