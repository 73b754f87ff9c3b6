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

/// A job whose scaling can be computed. Each function throws InputError if the job does not split
/// over so many accelerators. Objects that it refers to must outlive it.
struct ScaleSubject {
  std::string name;                ///< `bert`
  std::string machine;             ///< `H100 SXM (dgx-h100)`
  std::string accelerator;         ///< `H100 SXM`
  std::vector<std::string> notes;  ///< models, data and methods behind the figures
  std::string memory;              ///< sentences on memory, as far as it is known
  /// Point at the batch that trains soonest; absent if no target is known.
  std::function<ScaledPoint(int accelerators)> soonest;
  std::string soonest_rule = "the batch of known convergence that trains soonest at each N";
  std::function<ScaledPoint(int accelerators, double batch)> strong;
  std::function<ScaledPoint(int accelerators, double samples_per_replica)> weak;
  /// Step at a batch that need not split evenly, for searches over sizes.
  std::function<std::optional<StepTimes>(int accelerators, double batch)> step;
  double model_parallel = 1;  ///< accelerators that share a sample
  int stride = 1;             ///< step between sizes with whole nodes and whole replicas
};

/// A workload whose steps and runs are predicted from measured ones, as `tofn predict` does.
/// `split` is the plan for batches that need not split evenly.
ScaleSubject predicted_subject(const RunRequest&, const Calibration&, const Plan& split,
                               std::uint64_t seed);

/// Returns the plan chosen for this number of accelerators.
Plan chosen_plan(const RunRequest&, const Calibration&, int accelerators);

/// A run of a model whose steps are simulated from its dimensions, as `tofn predict` does.
struct ScaledJob {
  StatedRun run;
  Cluster cluster;
  KernelProfile profile;
  ExpenseOptions expenses{};
  double grid_intensity = default_grid_intensity;
  Overrun overrun = no_overrun;
  std::uint64_t seed = default_seed;  ///< of the samples that ranges are made of
};
/// Subject of a simulated run. On each size, the open fields of the plans are chosen, and a batch
/// trains the samples that reach the loss of the run's own batch (`critical_batch`). `sizes`: all
/// that will be requested.
ScaleSubject simulated_subject(ScaledJob, const std::vector<int>& sizes);

}  // namespace answers
}  // namespace tofn
