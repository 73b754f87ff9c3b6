#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/core/statistics.hpp"
#include "sim/expense/activity.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/memory/footprint.hpp"
#include "sim/model/model.hpp"
#include "sim/parallelism/plan.hpp"
#include "sim/simulation/accelerator_kind.hpp"
#include "sim/simulation/step_interval.hpp"
#include "sim/timeline/step_work.hpp"

namespace tofn {
inline namespace simulation {

/// The most that whole steps reach of the rate of a chip's best large product. Of the 837 measured
/// steps of configs/measured all keep it but four, which pass it by up to 6 %: Llama 3.1 405B in
/// fp8 on racks of GB200 and GB300, whose products are larger than any that was measured there (a
/// test holds each step to it).
inline constexpr double most_of_best_product = 0.85;

/// One training step of a model on a cluster, by the event engine.
struct SimulatedStep {
  Model model;
  Plan plan;  ///< says which layers its stages hold where these are not equal
  Cluster cluster;
  StepWork work;  ///< of the replicas that finish last
  StepTimes times;
  Activity activity{};              ///< of a mean accelerator, `times.total` long
  StepResponses responses{};        ///< to what is in doubt
  Interval seconds;                 ///< 90 % interval of the step
  bool rests_on_own_steps = false;  ///< that who asks measured
  /// Share of the compute time that is spent in kernels which memory bandwidth bounds; in a mixed
  /// job on the accelerator that the others wait for.
  double memory_bound = 0;
  MemoryProfile memory_profile{};  ///< what `memory` takes from software and machine
  /// Of a rank of each pipeline stage; where heterogeneous nodes hold replicas, of those after
  /// that.
  std::vector<Footprint> memory;
  HeterogeneousNodes heterogeneous{};
  std::vector<AcceleratorKind> kinds{};  ///< both of a mixed job, else none
  std::optional<std::uint64_t>
      seed{};  ///< of the draw of the slowest replica; none: the expected one
  /// What takes the place of what the machine or its calibration lacks, a sentence each.
  std::vector<std::string> substitutions{};

  double samples_per_second() const { return plan.global_batch() / times.total.base(); }
  /// Model FLOPs, without recomputation, over time and accelerators.
  FlopsPerSecond achieved() const;
  /// The dense peak at the precision that each accelerator computes in, a mean over them.
  FlopsPerSecond peak() const;
  /// No step is shorter: its model FLOPs at `most_of_best_product` of what products reach.
  Seconds shortest() const;
  double model_flops_utilisation() const;
  /// What the products run in: one precision, or those of both kinds of accelerators.
  std::vector<std::string_view> precisions() const;
  /// What holds the i-th footprint of `memory`.
  const Accelerator& holder(std::size_t footprint) const;
  /// Index of the footprint that leaves the least memory free.
  std::size_t tightest() const;
};

/// InputError where the plan breaks a rule or does not divide the model, where heterogeneous nodes
/// do not mix, or where the job needs a network that the cluster lacks. That it does not fit the
/// memory is an answer, not an error.
SimulatedStep simulate_step(const Model&, const Plan&, const Cluster&, const KernelProfile&,
                            const HeterogeneousNodes& = {}, std::optional<std::uint64_t> seed = {});

/// Equal of steps that are the same job on the same machine: model, plan, size and batch.
std::string job_key(const Model&, const Plan&, const Cluster&);

/// What a plan asks of a cluster that takes another's place, a sentence each; calibrations apart.
std::vector<std::string> substitutions(const Model&, const Plan&, const Cluster&,
                                       const StackDefaults& = {});
/// What the collectives of a step have in place of what the plan asks of the cluster, a sentence
/// each.
std::vector<std::string> collective_substitutions(const Model&, const Plan&, const Cluster&,
                                                  const KernelProfile&, HeterogeneousNodes = {});

/// What of the accelerator's memory the plan is held against.
MemoryProfile memory_profile(const Model&, const Plan&, const Cluster&, const KernelProfile&);

/// What bounds a step, by the textbook's classes, of shares of a step: `compute` below 10 % exposed
/// communication and above 90 % busy, `communication` above 30 %; where waiting for other
/// ranks exceeds 10 %, `bubble` or `imbalance`, the longer of the two; `overhead` where launches
/// exceed 30 %, else `mixed`.
struct Bottleneck {
  std::string name;
  double busy = 0;           ///< shares of the step: compute and optimizer
  double communication = 0;  ///< exposed
  double waiting = 0;        ///< bubble and imbalance
  double launch = 0;
};
Bottleneck bottleneck_of(const StepTimes&);

/// One change on the way from one step to another, and the step after it.
struct Change {
  std::string what;
  Seconds after;
};
/// From one cluster to another, one component after the other: accelerator, scale-up, network. A
/// mixed job is first made all of the first cluster.
std::vector<Change> changes_between(const SimulatedStep& from, const SimulatedStep& to,
                                    const KernelProfile&);

}  // namespace simulation
}  // namespace tofn
