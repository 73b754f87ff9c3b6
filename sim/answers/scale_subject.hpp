#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/calibration/choose_run.hpp"
#include "sim/config/load_run.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/model/model.hpp"
#include "sim/scaling/critical_size.hpp"
#include "sim/scaling/scaled_point.hpp"

namespace tofn {
inline namespace answers {

/// A job whose scaling can be asked for. Each function throws InputError where the job does not
/// split over so many accelerators. What it points to must outlive it.
struct ScaleSubject {
  std::string name;                ///< `bert`
  std::string machine;             ///< `H100 SXM (dgx-h100)`
  std::string accelerator;         ///< `H100 SXM`
  std::vector<std::string> notes;  ///< what the figures rest on
  std::string memory;              ///< what is known of it
  /// At the batch that trains soonest; absent where no target is known.
  std::function<ScaledPoint(int accelerators)> soonest;
  std::string soonest_rule = "the batch of known convergence that trains soonest at each N";
  std::function<ScaledPoint(int accelerators, double batch)> strong;
  std::function<ScaledPoint(int accelerators, double samples_per_replica)> weak;
  /// The step at a batch that need not split evenly, to search over sizes.
  std::function<std::optional<StepTimes>(int accelerators, double batch)> step;
  double model_parallel = 1;  ///< accelerators that share a sample
  int stride = 1;             ///< sizes that whole nodes and whole replicas make
};

/// A workload whose steps and runs are predicted from measured ones, as `tofn predict` does.
/// `split`: how the step of a batch that need not split evenly is split.
ScaleSubject predicted_subject(const RunRequest&, const Calibration&, const Plan& split,
                               std::uint64_t seed);

/// The plan that is chosen on so many accelerators.
Plan chosen_plan(const RunRequest&, const Calibration&, int accelerators);

/// A run of a model whose steps are simulated from its dimensions, as `tofn predict` does.
struct ScaledJob {
  RunFile run;
  Cluster cluster;
  KernelProfile profile;
  ExpenseOptions expenses{};
  double grid_intensity = default_grid_intensity;
  Overrun overrun = no_overrun;
};
/// With what of the plans is not stated chosen on each size, and the samples that a batch takes for
/// the loss which the run reaches at its own (`critical_batch`). `sizes`: that will be asked for.
ScaleSubject simulated_subject(ScaledJob, const std::vector<int>& sizes);

}  // namespace answers
}  // namespace tofn
