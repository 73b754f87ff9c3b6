#pragma once

#include "sim/cluster/cluster.hpp"
#include "sim/cluster/communicator.hpp"
#include "sim/core/cost.hpp"
#include "sim/kernel/compute_profile.hpp"
#include "sim/parallelism/plan.hpp"
#include "sim/timeline/step_work.hpp"
#include "sim/workload/run_settings.hpp"
#include "sim/workload/workload.hpp"

namespace tofn {

/// Relative spreads of the communication parameters. Large-message bandwidths of equal clusters
/// differ by 5 to 15 % (nccl-tests logs of 4 and 8 H100 nodes, github.com/NVIDIA/nccl-tests issue
/// 309); that of latencies is assumed.
inline constexpr double bandwidth_spread = 0.15;
inline constexpr double latency_spread = 0.30;

/// Factors on the times that a step rests on: 1 for the prediction itself, others for draws.
struct StepPerturbation {
  double arithmetic = 1;
  double overhead = 1;
  double latency = 1;
  /// Of what formulas cost; measured collectives move by as many of their own standard deviations.
  double bandwidth = 1;
};

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

  const Plan& plan() const { return plan_; }
  const ComputeProfile& profile() const { return profile_; }

 private:
  struct Links {
    Communicator tensor, context, data;
    Communicator node, between;  ///< the data-parallel ranks of a node, and one of each node
  };
  /// Layers whose gradients leave together: sums over them, of one sample.
  struct Slice {
    WorkTotals work;
    double share = 0;        ///< of the gradients that its buckets hold
    double collectives = 1;  ///< in which they leave: layers larger than a bucket take several
  };
  static Links place_links(const Plan&, const Cluster&);
  Links scaled_links(const StepPerturbation&) const;
  const StepWork& work(const Links&, const StepPerturbation&) const;
  void set_passes(LayerTimes&, const Slice&, double samples, const Links&,
                  const StepPerturbation&) const;
  void set_gradients(const Links&) const;
  std::vector<Slice> slices() const;
  Bytes gradients() const;
  Cost sync_cost(const SyncStep&, const Links&, double share) const;
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

}  // namespace tofn
