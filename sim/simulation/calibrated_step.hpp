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

/// The step of a workload whose kernel times are fitted to measured steps. Its StepWork is like
/// that of a step from a model's dimensions, apart from the kernel times. The constructor looks
/// everything up, and evaluation allocates nothing. Holds references to workload and cluster, which
/// must outlive it. Not thread-safe.
class CalibratedStep {
 public:
  /// InputError if the plan has a feature without measured runs (pipelines, experts, recomputation,
  /// ...), if the workload does not describe traffic that the plan needs, or if the job needs a
  /// network that the cluster lacks.
  CalibratedStep(const Workload&, const Cluster&, const Plan&, const RunSettings&,
                 const ComputeProfile&);

  /// Work of one rank in a step; valid until the next call.
  const StepWork& work(const StepPerturbation& = {}) const;
  StepTimes times(const StepPerturbation& = {}) const;
  /// Time of a forward-only pass (evaluation) over `samples` per replica.
  Seconds forward_pass(double samples, const StepPerturbation& = {}) const;
  StepSpreads spreads() const;

  const Plan& plan() const { return plan_; }
  const ComputeProfile& profile() const { return profile_; }

 private:
  struct Links {
    Communicator tensor, context;
    GradientGroups gradients;
  };
  /// Layers whose gradients leave together, with sums over them for one sample.
  struct Slice {
    WorkTotals work;
    Bytes gradients;         ///< that leave after the slice
    double collectives = 1;  ///< number of collectives they leave in
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

}  // namespace simulation
}  // namespace tofn
