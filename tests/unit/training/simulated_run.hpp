#pragma once

#include <optional>
#include <vector>

#include "sim/training/run_estimate.hpp"
#include "sim/training/stated_run.hpp"
#include "tests/unit/kernel/toy_profile.hpp"

namespace tofn::test {

/// Simulated steps of a run, which a test may change.
struct JobPhase {
  SimulatedStep step;
  double samples = 0;
  std::size_t part_of = 0;
};

/// A run of simulated steps, as a test states it.
struct SimulatedRun {
  std::vector<JobPhase> phases;
  StatedEvaluation evaluation{};
  std::optional<double> input_rate{};
  Seconds start_up = default_start_up;
  ExpenseOptions expenses{};
  double grid_intensity = default_grid_intensity;
  std::optional<Amount> critical_batch{};
  Overrun overrun = no_overrun;

  Run run() const {
    static const KernelProfile stack = toy_profile();
    Run made{.stretches = {},
             .start_up = {.value = start_up.base()},
             .expenses = expenses,
             .grid_intensity = grid_intensity,
             .critical_batch = critical_batch,
             .overrun = overrun};
    const StatedRun stated{.phases = {}, .evaluation = evaluation, .input_rate = input_rate};
    for (const JobPhase& phase : phases)
      made.stretches.push_back(stretch_of(stated, phase.step, phase.samples, phase.part_of, stack));
    return made;
  }
};

inline RunEstimate estimate(const SimulatedRun& job) { return tofn::estimate(job.run()); }

}  // namespace tofn::test
