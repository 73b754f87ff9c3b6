#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/calibration/choose_run.hpp"
#include "sim/expense/expense.hpp"
#include "sim/simulation/best_plan.hpp"
#include "sim/training/run_estimate.hpp"
#include "sim/training/run_limit.hpp"
#include "sim/training/stated_run.hpp"

namespace tofn {
inline namespace answers {

/// Names of what is requested, for tables.
struct RunNames {
  std::string workload{}, model{}, run{};  ///< `run`: its name on screens
  std::string release{};
  bool batch_is_assumed = false;
};

/// Run of a model, whose steps follow from its dimensions.
struct ModelRun {
  const StatedRun& run;
  const Cluster& cluster;
  const KernelProfile& stack;
  PlanSpace space = PlanSpace::Default;
  Overrun overrun = no_overrun;  ///< of whole runs; not applied to a single step
  /// If true and the batch is chosen, a batch above the default one trains the extra samples that
  /// it needs to reach the same loss; otherwise the run trains the requested samples.
  bool holds_loss = false;
  std::optional<Plan> observed_plan{};  ///< of a measured step; runs of its size and batch keep it

  const Model& model() const { return run.phases.front().model; }
  const Cluster& machine() const { return cluster; }
  const KernelProfile& kernels() const { return stack; }
  RunNames names() const;
};

/// Run of a workload, whose steps were measured or follow from dimensions that measured runs
/// correct.
struct WorkloadRun {
  OpenDescription open;
  const Calibration& calibration;
  std::string release_choice{};  ///< source of the release, e.g. `as requested`
  std::string plan_choice{};
  bool is_one_step = false;  ///< only the step is requested

  std::string batch_choice() const;
  const Cluster& machine() const { return *open.cluster; }
  /// Stack of simulated steps; one without figures if the kernel times were measured.
  const KernelProfile& kernels() const;
  RunNames names() const;
};

/// A run that is requested. What it refers to must outlive it and its answers.
struct RunRequest {
  std::variant<ModelRun, WorkloadRun> of;
  ExpenseOptions expenses{};
  double grid_intensity = default_grid_intensity;  ///< g/kWh
  std::vector<RunLimit> limits{};                  ///< the answer states the chance that each holds
  std::uint64_t seed = default_seed;               ///< of the samples that ranges are made of

  const Cluster& cluster() const;
  const KernelProfile& kernels() const;
  RunNames names() const;
};

}  // namespace answers
}  // namespace tofn
