#pragma once

#include "sim/cluster/communicator.hpp"
#include "sim/simulation/plan_gradients.hpp"
#include "sim/simulation/step_source.hpp"

namespace tofn {
inline namespace simulation {

/// The step of a workload whose kernel times are fitted to measured steps. Its StepWork is like
/// that of a step from a model's dimensions, apart from the kernel times. The constructor looks
/// everything up, and evaluation allocates nothing. Holds references to workload and cluster, which
/// must outlive it.
class CalibratedStep final : public StepSource {
 public:
  /// InputError if the plan has a feature without measured runs (pipelines, experts, recomputation,
  /// ...), if the workload does not describe traffic that the plan needs, or if the job needs a
  /// network that the cluster lacks.
  CalibratedStep(const Workload&, const Cluster&, const Plan&, const RunSettings&,
                 const ComputeProfile&);

  const Plan& plan() const override { return plan_; }
  const Cluster& cluster() const override { return cluster_; }
  const StepWork& work() const override { return work({}); }
  /// Work of one rank in a step; valid until the next call.
  const StepWork& work(const StepPerturbation&) const;
  StepTimes times(const StepPerturbation& = {}) const override;
  Seconds forward_pass(double samples, double passes, const StepPerturbation& = {}) const override;
  StepSpreads spreads() const override;
  SampleWork sample_work() const override;
  FlopsPerSecond peak() const override;
  std::shared_ptr<const StepSource> on(const Cluster&, const KernelProfile&) const override;

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
  RunSettings settings_;
  ComputeProfile profile_;
  Slice whole_;
  Links links_;
  bool tensor_overlap_ = true;
  bool overlap_gradients_ = false;
  bool in_network_reduction_ = false;
  std::vector<Slice> slices_;  ///< in forward order
  mutable StepWork work_;
  mutable StepWork forward_work_;  ///< of `whole_`, for forward-only passes
};

}  // namespace simulation
}  // namespace tofn
