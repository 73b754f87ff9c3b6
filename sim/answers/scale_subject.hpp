#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "sim/calibration/choose_run.hpp"
#include "sim/config/load_plan.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/model/model.hpp"
#include "sim/scaling/critical_size.hpp"
#include "sim/scaling/scaled_point.hpp"

namespace tofn {
inline namespace answers {

/// A job whose scaling can be asked for. Each function throws InputError where the job does not
/// split over so many accelerators. What it points to must outlive it.
struct ScaleSubject {
  std::string name;         ///< `bert`
  std::string machine;      ///< `H100 SXM (dgx-h100)`
  std::string accelerator;  ///< `H100 SXM`
  std::string notes;        ///< what the figures rest on
  std::string memory;       ///< what is known of it where `largest_pass` is absent
  /// At the batch that trains soonest; absent where no target is known.
  std::function<ScaledPoint(int accelerators)> soonest;
  std::function<ScaledPoint(int accelerators, double batch)> strong;
  std::function<ScaledPoint(int accelerators, double samples_per_replica)> weak;
  /// The step at a batch that need not split evenly, to search over sizes.
  std::function<std::optional<StepTimes>(int accelerators, double batch)> step;
  /// Largest whole micro-batch that the memory holds, 0 where not one sample fits; absent where
  /// memory is not counted.
  std::function<double(int accelerators)> largest_pass;
  double model_parallel = 1;  ///< accelerators that share a sample
  int stride = 1;             ///< sizes that whole nodes and whole replicas make
};

/// A workload whose steps and runs are predicted from measured ones, as `tofn predict` does.
/// `split`: how the step of a batch that need not split evenly is split.
ScaleSubject predicted_subject(const RunRequest&, const Calibration&, const Plan& split,
                               std::uint64_t seed);

/// The plan that is chosen on so many accelerators.
Plan chosen_plan(const RunRequest&, const Calibration&, int accelerators);

/// A model whose steps are simulated from its dimensions, as `tofn step` does.
ScaleSubject simulated_subject(const Model&, const Cluster&, const KernelProfile&, const PlanFile&);

}  // namespace answers
}  // namespace tofn
