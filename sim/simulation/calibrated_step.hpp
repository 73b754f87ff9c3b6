#pragma once

#include "sim/cluster/cluster.hpp"
#include "sim/cluster/communicator.hpp"
#include "sim/core/cost.hpp"
#include "sim/parallelism/plan.hpp"
#include "sim/parallelism/run_settings.hpp"
#include "sim/simulation/gradients.hpp"
#include "sim/simulation/step_uncertainty.hpp"
#include "sim/timeline/step_work.hpp"
#include "sim/workload/compute_profile.hpp"
#include "sim/workload/workload.hpp"

namespace tofn {
inline namespace simulation {

/// The step of a workload whose kernel times were learnt from measured steps: the same StepWork as
/// that of a model from its dimensions, with other kernel times. Building it looks everything up;
/// evaluating it allocates nothing. Holds references: workload and cluster must outlive it. One
/// thread at a time.
class CalibratedStep {
 public:
  /// InputError where the plan asks for what measured runs do not show (pipelines, experts,
  /// recomputation, ...), where the workload does not describe traffic that the plan needs, or
  /// where the job needs a network that the cluster lacks.
  CalibratedStep(const Workload&, const Cluster&, const Plan&, const RunSettings&,
                 const ComputeProfile&);

  /// What one rank does in a step; valid until the next call.
  const StepWork& work(const StepPerturbation& = {}) const;
  StepTimes times(const StepPerturbation& = {}) const;
  /// A pass that only computes forward (evaluation): `samples` per replica.
  Seconds forward_pass(double samples, const StepPerturbation& = {}) const;
  StepSpreads spreads() const;

  const Plan& plan() const { return plan_; }
  const ComputeProfile& profile() const { return profile_; }

 private:
  struct Links {
    Communicator tensor, context;
    GradientGroups gradients;
  };
  /// Layers whose gradients leave together: sums over them, of one sample.
  struct Slice {
    WorkTotals work;
    Bytes gradients;         ///< that leave when it is done
    double collectives = 1;  ///< in which they leave
  };
  static Links place_links(const Plan&, const Cluster&);
  Links scaled_links(const StepPerturbation&) const;
  const StepWork& work(const Links&, const StepPerturbation&) const;
  void set_passes(LayerTimes&, const Slice&, double samples, const Links&,
                  const StepPerturbation&) const;
  void set_gradients(const Links&) const;
  std::vector<Slice> slices() const;
  Bytes gradients() const;
  bool overlaps_backward(const SyncStep&) const;
  Seconds optimizer_time() const;
  PartBases bases() const;

  const Workload& workload_;
  const Cluster& cluster_;
  Plan plan_;
  ComputeProfile profile_;
  Slice whole_;
  Links links_;
  bool tensor_overlap_ = true;
  bool overlap_gradients_ = false;
  bool in_network_reduction_ = false;
  std::vector<Slice> slices_;  ///< in forward order
  mutable StepWork work_;
};

/// Refuses plans that are more than data, tensor and context parallel: steps were measured of
/// nothing else. InputError with what the plan asks for.
void require_calibrated_plan(const Plan&);

}  // namespace simulation
}  // namespace tofn
