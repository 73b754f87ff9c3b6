#pragma once

#include <optional>
#include <vector>

#include "sim/expense/expense.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/training/amount.hpp"
#include "sim/training/job_draws.hpp"
#include "sim/training/run_estimate.hpp"

// A job of a model from its dimensions: how long it trains, and what that costs.

namespace tofn {
inline namespace training {

/// From the first command to the first step of a job that was started well: 361 s on 2,048
/// accelerators with Megatron-LM before it was mended, below 30 s after (MegaScale, arXiv
/// 2402.15627); assumed between.
inline constexpr Seconds default_start_up = Seconds(5 * 60.0);

/// Evaluations while a job trains: forward passes over so much, every so much that it trained.
struct JobEvaluation {
  std::optional<Amount> every{};  ///< absent: none
  Amount takes{};
};

/// A stretch of a job whose steps are alike.
struct JobPhase {
  SimulatedStep step;
  double samples = 0;       ///< that it trains
  std::size_t part_of = 0;  ///< phase of the run, which may ramp its batch
};

struct Job {
  std::vector<JobPhase> phases;  ///< in their order; at least one
  JobEvaluation evaluation{};
  std::optional<double> input_rate{};  ///< samples/s that a node reads; absent: enough
  Seconds start_up = default_start_up;
  ExpenseOptions expenses{};
  double grid_intensity = default_grid_intensity;  ///< g/kWh
  std::optional<Amount> critical_batch{};          ///< absent: what a batch costs is not known
  Overrun overrun = no_overrun;                    ///< that the whole run is drawn with
};

/// Arithmetic of one sample over all ranks that share it.
struct SampleWork {
  Flops model;
  Flops hardware;    ///< `recomputed` included
  Flops recomputed;  ///< what backward computes again
  Flops forward;
  double parameter_flops = 0;  ///< of a token: 6 of each that it goes through, 4 of frozen ones
};
SampleWork sample_work(const Model&, const Plan&);

/// InputError where interruptions come so often that the job does not end, or where a price is
/// asked for that is not known.
RunEstimate estimate(const Job&);

/// A job of each phase of the run alone, the first of which starts it up.
std::vector<Job> by_phase(const Job&);
/// The phase whose fullest stage holds most, and what that stage holds.
const JobPhase& fullest_phase(const Job&);
const Footprint& fullest_stage(const Job&);
/// The phase that trains for longest: what an answer shows of a job's steps.
const JobPhase& main_phase(const Job&);
/// A step of the job, the mean over all of them.
StepTimes mean_step(const Job&);

}  // namespace training
}  // namespace tofn
