#pragma once

#include <optional>
#include <vector>

#include "sim/expense/expense.hpp"
#include "sim/simulation/sample_work.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/training/amount.hpp"
#include "sim/training/run_estimate.hpp"
#include "sim/training/run_samples.hpp"

// A job of a model from its dimensions: how long it trains, and what that costs.

namespace tofn {
inline namespace training {

/// Time from the first command to the first step of a well-started job: 361 s on 2,048 accelerators
/// with Megatron-LM before an improvement, below 30 s after it (MegaScale, arXiv 2402.15627);
/// assumed between.
inline constexpr Seconds default_start_up = Seconds(5 * 60.0);

/// Evaluations while a job trains: forward passes over an amount, once for each trained amount.
struct JobEvaluation {
  std::optional<Amount> every{};  ///< absent: none
  Amount takes{};
};

/// A stretch of a job with equal steps.
struct JobPhase {
  SimulatedStep step;
  double samples = 0;       ///< samples that it trains
  std::size_t part_of = 0;  ///< phase of the run, whose batch may be ramped
};

struct Job {
  std::vector<JobPhase> phases;  ///< in order; at least one
  JobEvaluation evaluation{};
  std::optional<double> input_rate{};  ///< samples/s that a node reads; absent: enough
  Seconds start_up = default_start_up;
  ExpenseOptions expenses{};
  double grid_intensity = default_grid_intensity;  ///< g/kWh
  std::optional<Amount> critical_batch{};  ///< absent: the extra samples of a batch are unknown
  Overrun overrun = no_overrun;            ///< with which the whole run is sampled
  bool is_one_step = false;                ///< nothing is stated that it trains
  std::uint64_t seed = default_seed;       ///< of the samples that ranges are made of
};

/// Bytes of a checkpoint of the trained parameters with the optimizer's state.
Bytes checkpoint_size(const Model&, const Plan&, const StateBytes&);

/// The options with the times of a job's checkpoint on their storage, if it is stated; the step
/// says what a checkpoint holds and who writes it. A stated time goes before that for which steps
/// would wait.
ExpenseOptions with_checkpoint_times(ExpenseOptions, const SimulatedStep&);

/// InputError if interruptions are so frequent that the job does not end, if checkpoints are more
/// frequent than they can be written, or if a requested price is unknown.
RunEstimate estimate(const Job&);

/// Jobs of the single phases of the run; only the first includes the start-up.
std::vector<Job> by_phase(const Job&);
/// Phase whose most loaded stage needs the most memory; `fullest_stage` is the footprint of that
/// stage.
const JobPhase& fullest_phase(const Job&);
const Footprint& fullest_stage(const Job&);
/// Phase that trains for longest, whose steps an answer shows.
const JobPhase& main_phase(const Job&);
/// Mean step over all steps of the job.
StepTimes mean_step(const Job&);

}  // namespace training
}  // namespace tofn
