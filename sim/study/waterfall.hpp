#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/published/backtest.hpp"

namespace tofn {
inline namespace study {

/// Accelerator-time of a run as a product, so that a loss from one run to a larger one is a product
/// of quotients: exact, whatever their order.
struct RunFactors {
  double samples = 0;     ///< to target
  double step = 0;        ///< accelerator-seconds per sample of the steps
  double evaluation = 1;  ///< steps and evaluations over steps
  double start_up = 1;    ///< these and the time before the first step over these
  double score = 1;       ///< the score over these: the benchmark's rule, and what was not logged
};

/// What `step` is made of where it was predicted.
struct StepFactors {
  double work = 0;           ///< accelerator-seconds per sample of arithmetic, overhead, optimizer
  double communication = 1;  ///< with what is exposed of it over without
  double waiting = 1;        ///< with the wait for the slowest node over without
};

/// Efficiency kept by each factor from a run on 8 accelerators to a larger one, below 1 where it is
/// lost; `total` is their product, T_8 x 8 / (T_N x N).
struct Losses {
  double total = 1;
  double samples = 1, step = 1, evaluation = 1, start_up = 1, score = 1;
};

/// Part of the predicted step: they multiply to it.
struct StepLosses {
  double granularity = 1;  ///< cost of a step that does not shrink with its samples
  double communication = 1;
  double waiting = 1;
};

struct Waterfall {
  std::string workload;
  std::string accelerator;
  std::string system;       ///< `organisation/system`
  std::string base_system;  ///< likewise
  int accelerators = 0;
  bool evaluations_apart = true;  ///< false: the measured steps hold them
  Losses measured;
  Losses predicted;
  StepLosses predicted_step;
  /// Measured over predicted step: another server than the base's, and what the model misses.
  double server = 1;
};

/// One waterfall for each scored row larger than 8 accelerators that has a base, measured steps and
/// a prediction. The base has 8 of the same accelerator: the fastest system of the same
/// organisation, else the one of median time. Where one of a pair logged no evaluations apart, the
/// measured steps of both hold them. By workload in order of appearance, then accelerators.
std::vector<Waterfall> waterfalls(std::span<const BacktestRow>);

}  // namespace study
}  // namespace tofn
