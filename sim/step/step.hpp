#pragma once

#include <array>
#include <string_view>

#include "sim/cluster/cluster.hpp"
#include "sim/cluster/communicator.hpp"
#include "sim/compute/profile.hpp"
#include "sim/core/cost.hpp"
#include "sim/parallelism/plan.hpp"
#include "sim/workload/run_settings.hpp"
#include "sim/workload/workload.hpp"

namespace tofn {

/// The terms of one optimizer step; they sum to its length. Communication terms are what is
/// exposed, `communication_total` is the same traffic if nothing hid it.
struct StepBreakdown {
  Cost arithmetic;
  Cost overhead;
  Cost stragglers;
  Cost tensor_parallel;
  Cost context_parallel;
  Cost gradients;
  Cost optimizer;
  Cost communication_total;
  Seconds tensor_hidden;  ///< tensor-parallel traffic that the GEMMs could hide

  Cost exposed_communication() const { return tensor_parallel + context_parallel + gradients; }
  Cost total() const;
};

/// One term by name: reports and intervals go over this table, so a new term needs one row.
struct StepTerm {
  std::string_view name;   ///< for machines
  std::string_view title;  ///< for people
  Cost StepBreakdown::*cost;
};
inline constexpr std::array step_terms{
    StepTerm{"arithmetic", "arithmetic", &StepBreakdown::arithmetic},
    StepTerm{"overhead", "overhead", &StepBreakdown::overhead},
    StepTerm{"stragglers", "waiting for the slowest node", &StepBreakdown::stragglers},
    StepTerm{"tensor_parallel", "tensor parallel, exposed", &StepBreakdown::tensor_parallel},
    StepTerm{"context_parallel", "context parallel, exposed", &StepBreakdown::context_parallel},
    StepTerm{"gradients", "gradients, exposed", &StepBreakdown::gradients},
    StepTerm{"optimizer", "optimizer", &StepBreakdown::optimizer},
};

inline Cost StepBreakdown::total() const {
  Cost sum;
  for (const StepTerm& term : step_terms) sum += this->*term.cost;
  return sum;
}

/// Relative spreads of the communication parameters. Large-message bandwidths of equal clusters
/// differ by 5 to 15 % (nccl-tests logs of 4 and 8 H100 nodes, github.com/NVIDIA/nccl-tests issue
/// 309); that of latencies is assumed.
inline constexpr double bandwidth_spread = 0.15;
inline constexpr double latency_spread = 0.30;

/// Factors on the step's parameters: one for the prediction itself, others for draws.
struct StepPerturbation {
  double arithmetic = 1;
  double overhead = 1;
  double latency = 1;
  /// Of what formulas cost; measured collectives move by as many of their own standard deviations.
  double bandwidth = 1;
};

/// Refuses plans that are more than data, tensor and context parallel: this model of a step learns
/// from measured runs, and `tofn step` simulates the rest. InputError with what the plan asks for.
void require_learned_plan(const Plan&);

/// One step of a workload, placed on a cluster. Building it looks everything up; `evaluate` is pure
/// and allocates nothing. Holds references: workload and cluster must outlive it.
class StepModel {
 public:
  /// InputError where the plan does not fit this model (`require_learned_plan`), the workload
  /// (tensor parallelism of a workload that does not describe its traffic) or the cluster.
  StepModel(const Workload&, const Cluster&, const Plan&, const RunSettings&,
            const ComputeProfile&);

  StepBreakdown evaluate(const StepPerturbation& = {}) const;
  const Plan& plan() const { return plan_; }
  const ComputeProfile& profile() const { return profile_; }
  /// A pass that only computes forward (evaluation): `samples` per replica.
  Seconds forward_pass(double samples, const StepPerturbation& = {}) const;
  /// Seconds that the step's arithmetic would take at an efficiency of 1: what a fit divides by.
  Seconds ideal_arithmetic() const;

 private:
  struct Links;
  Links perturbed(const StepPerturbation&) const;
  PassTime pass(double samples, const StepPerturbation&) const;
  struct TensorTime {
    Seconds traffic;  ///< if nothing hid it
    Seconds hidden;   ///< what the GEMMs could hide
    Seconds exposed;
  };
  TensorTime tensor_time(double collectives, double samples, Seconds gemms,
                         const Communicator&) const;
  struct ContextTime {
    Seconds traffic;
    Seconds exposed;
  };
  ContextTime context_time(double samples, const PassTime&, const Communicator&,
                           bool with_backward) const;
  Cost exposed_gradients(const Links&, Seconds backward, Cost& total) const;
  Cost sync_cost(const SyncStep&, const Links&, double share) const;
  bool overlaps_backward(const SyncStep&) const;
  Seconds optimizer_time() const;

  const Workload& workload_;
  const Cluster& cluster_;
  Plan plan_;
  ComputeProfile profile_;
  WorkTotals work_;
  Communicator tensor_, context_, data_;
  bool tensor_overlap_ = true;
  double slowest_node_excess_ = 0;  ///< how much longer than the average node the slowest takes
  bool overlap_gradients_ = false;
  bool in_network_reduction_ = false;
};

}  // namespace tofn
