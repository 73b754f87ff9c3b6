#pragma once

#include <memory>

#include "sim/cluster/cluster.hpp"
#include "sim/core/quantity.hpp"
#include "sim/expense/activity.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/model/model.hpp"
#include "sim/parallelism/plan.hpp"
#include "sim/parallelism/run_settings.hpp"
#include "sim/simulation/step_uncertainty.hpp"
#include "sim/timeline/step_work.hpp"
#include "sim/workload/workload.hpp"

namespace tofn {
inline namespace simulation {

/// Arithmetic of one sample over all ranks that share it.
struct SampleWork {
  Flops model;
  Flops hardware;    ///< includes `recomputed`; 0 if only the layers of a workload are known
  Flops recomputed;  ///< forward work that backward runs again
  Flops forward;
  double parameter_flops = 0;    ///< per token: 6 per parameter that it uses, 4 per frozen one
  double active_parameters = 0;  ///< that one token goes through
  double sequence_length = 0;    ///< 0 if samples are no texts
};
SampleWork sample_work(const Model&, const Plan&);

struct SimulatedStep;

/// The step of a run under a plan, whether its kernel times follow from measured steps
/// (`CalibratedStep`) or from the dimensions of a model (`DimensionedStep`). Not thread-safe.
class StepSource {
 public:
  virtual ~StepSource() = default;

  virtual const Plan& plan() const = 0;
  virtual const Cluster& cluster() const = 0;
  /// Accelerators of the job, as they are placed.
  virtual PlacedJob job() const;
  /// Samples that a step trains.
  virtual double samples() const { return plan().global_batch(); }
  /// Work of the replica that finishes last; valid until the next call.
  virtual const StepWork& work() const = 0;
  virtual StepTimes times(const StepPerturbation& = {}) const = 0;
  /// Time per pass of `passes` forward-only passes (evaluation) of `samples` per replica each,
  /// which follow one another through the pipeline.
  virtual Seconds forward_pass(double samples, double passes,
                               const StepPerturbation& = {}) const = 0;
  virtual StepSpreads spreads() const = 0;
  virtual SampleWork sample_work() const = 0;
  /// Dense peak of one accelerator at the precision of the products.
  virtual FlopsPerSecond peak() const = 0;
  /// Activity of an average accelerator in the step.
  virtual Activity activity() const;
  /// The simulated step, with its memory; nullptr if kernel times follow from measured steps.
  virtual const SimulatedStep* simulated() const { return nullptr; }
  /// This step on another machine, and with another stack if its kernel times follow from
  /// dimensions. Both must outlive it.
  virtual std::shared_ptr<const StepSource> on(const Cluster&, const KernelProfile&) const = 0;
};

/// Step of a workload: from the dimensions of its model (`Workload::simulated`), otherwise from the
/// profile that is fitted to measured steps. Workload, cluster and profile must outlive it.
/// InputError if the source does not support the plan, or if the job needs a network that the
/// cluster lacks.
std::shared_ptr<const StepSource> step_source(const Workload&, const Cluster&, const Plan&,
                                              const RunSettings&, const ComputeProfile&);

/// Plan of a simulated step with the run's software settings, at the workload's precision if it
/// states none.
Plan simulated_plan(const Workload&, const Plan&, const RunSettings&);

/// InputError that names the feature if steps of the workload do not support the plan; measured
/// steps support only data, tensor and context parallelism.
void require_known_plan(const Workload&, const Plan&);

/// InputError that names the feature if the plan uses more than data, tensor and context
/// parallelism, because no such steps were measured.
void require_calibrated_plan(const Plan&);

}  // namespace simulation
}  // namespace tofn
