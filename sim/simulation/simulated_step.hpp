#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cluster/accelerator.hpp"
#include "sim/cluster/cluster.hpp"
#include "sim/core/statistics.hpp"
#include "sim/expense/activity.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/memory/footprint.hpp"
#include "sim/model/layer_work.hpp"
#include "sim/model/model.hpp"
#include "sim/parallelism/plan.hpp"
#include "sim/simulation/accelerator_kind.hpp"
#include "sim/simulation/step_uncertainty.hpp"
#include "sim/timeline/step_work.hpp"

namespace tofn {
inline namespace simulation {

/// Largest share of the rate of a chip's best large product that a whole step reaches. Of the 837
/// measured steps of configs/measured all but four keep it, and these exceed it by up to 6 %: Llama
/// 3.1 405B in fp8 on racks of GB200 and GB300, whose products are larger than any that was
/// measured there (a test compares each step with it).
inline constexpr double most_of_best_product = 0.85;

/// One training step of a model on a cluster, simulated by events.
struct SimulatedStep {
  Model model;
  Plan plan;  ///< states the layers of its stages if these are not equal
  Cluster cluster;
  StepWork work;  ///< of the replicas that finish last; its `answered` is of all
  StepTimes times;
  Activity activity{};              ///< of an average accelerator, `times.total` long
  StepResponses responses{};        ///< to uncertain inputs
  Interval seconds;                 ///< 90 % interval of the step
  bool rests_on_own_steps = false;  ///< true if the user's own measured steps were used
  /// Share of compute time in kernels limited by memory bandwidth; in a mixed job, on the
  /// accelerator that the others wait for.
  double memory_bound = 0;
  MemoryProfile memory_profile{};  ///< inputs of `memory` from software and machine
  /// Footprint of a rank of each pipeline stage; if other nodes hold replicas, their stages follow.
  std::vector<Footprint> memory;
  HeterogeneousNodes heterogeneous{};
  std::vector<AcceleratorKind> kinds{};  ///< both kinds of a mixed job; otherwise empty
  std::optional<std::uint64_t>
      seed{};  ///< of the draw of the slowest replica; absent: the expected one
  /// Sentences that name each input that the machine or its calibration lacks and its substitute.
  std::vector<std::string> substitutions{};

  double samples_per_second() const { return plan.global_batch() / times.total.base(); }
  /// Model FLOPs, without recomputation, per second and accelerator.
  FlopsPerSecond achieved() const;
  /// Dense peak at the precision that each accelerator computes in, averaged over them.
  FlopsPerSecond peak() const;
  /// Lower bound of any step: its model FLOPs at `most_of_best_product` of the rate of products.
  Seconds shortest() const;
  double model_flops_utilisation() const;
  /// Precisions of the products: one, or those of both kinds of accelerators.
  std::vector<std::string_view> precisions() const;
  /// Accelerator that holds footprint i of `memory`.
  const Accelerator& holder(std::size_t footprint) const;
  /// Index of the footprint that leaves the least memory free.
  std::size_t tightest() const;
};

/// Simulates a step. InputError if the plan breaks a rule or does not divide the model, if
/// heterogeneous nodes do not mix, or if the job needs a network that the cluster lacks. A step
/// that exceeds the memory is an answer, not an error.
SimulatedStep simulate_step(const Model&, const Plan&, const Cluster&, const KernelProfile&,
                            const HeterogeneousNodes& = {}, std::optional<std::uint64_t> seed = {});

/// True if each stage fits the memory of its accelerator.
bool fits(const SimulatedStep&);

/// Key of a job: equal for steps with the same model, plan, cluster and batch.
std::string job_key(const Model&, const Plan&, const Cluster&);

/// Memory figures of software and accelerator that the plan's footprint is compared with.
MemoryProfile memory_profile(const Model&, const Plan&, const Cluster&, const KernelProfile&);

/// Returns the step's plan without the features that its machine lacks, to print what runs.
Plan plan_that_runs(const SimulatedStep&);

/// The limit of a step, by the textbook's classes, as shares of the step: `compute` if exposed
/// communication is below 10 % and busy time above 90 %; `communication` above 30 %; `bubble` or
/// `imbalance`, the longer of the two, if waiting for other ranks exceeds 10 %; `overhead` if
/// launches exceed 30 %; otherwise `mixed`.
struct Bottleneck {
  std::string name;
  double busy = 0;           ///< shares of the step: compute and optimizer
  double communication = 0;  ///< exposed
  double waiting = 0;        ///< bubble and imbalance
  double launch = 0;
};
Bottleneck bottleneck_of(const StepTimes&);

/// One change between two steps, and the step time after it.
struct Change {
  std::string what;
  Seconds after;
};
/// Changes from one cluster to another, one component at a time: accelerator, scale-up, network.
/// The first change makes a mixed job all of the first cluster.
std::vector<Change> changes_between(const SimulatedStep& from, const SimulatedStep& to,
                                    const KernelProfile&);

/// Share of kernel time, 0 to 1, in kernels limited by memory bandwidth: matrix products that a
/// higher arithmetic rate would not shorten, and kernels that only move bytes.
double memory_bound_share(const std::vector<LayerWork>&, PassPrecision, const Accelerator&,
                          const KernelProfile&);

}  // namespace simulation
}  // namespace tofn
