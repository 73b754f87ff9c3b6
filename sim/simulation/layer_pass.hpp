#pragma once

#include "sim/cluster/cluster.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/model/layer_work.hpp"
#include "sim/parallelism/plan.hpp"
#include "sim/simulation/communicators.hpp"
#include "sim/timeline/step_work.hpp"

namespace tofn {
inline namespace simulation {

/// Launches and traffic of operators as the plan compiles them, or does not, over those that the
/// stack's figures are of; 1 where either does not say.
double eager_factor(const Plan&, const KernelProfile&);

/// Of a gradient as it travels: the plan's, else the stack's.
double gradient_bytes(const Plan&, const KernelProfile&);

/// What the layers of a step run on.
struct Machine {
  const Plan& plan;
  const Accelerator& accelerator;
  const KernelProfile& profile;
  const Communicators& communicators;
  PassPrecision precision{};
  bool of_mixture = false;  ///< the model has experts

  /// On the time of all that a step computes on the accelerator.
  double chip_factor() const { return profile.factor_on(accelerator, of_mixture); }
  double gradient_bytes() const;
  double parameter_bytes() const;  ///< of one as it travels: the plan's, else the stack's
};

/// Tensor-parallel traffic that overlaps travels in chunks, one a rank, beside the products it
/// belongs to: the share that they wait for is the first.
inline double first_chunk(const Communicator& tensor) { return 1.0 / tensor.ranks; }

/// Both passes of one layer on one micro-batch, recomputation in the backward one; data-parallel
/// traffic is left out.
LayerTimes layer_times(const LayerWork&, const Machine&);

}  // namespace simulation
}  // namespace tofn
