#pragma once

#include "sim/cluster/cluster.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/model/layer_work.hpp"
#include "sim/parallelism/plan.hpp"
#include "sim/simulation/job_hardware.hpp"
#include "sim/timeline/step_work.hpp"

namespace tofn {
inline namespace simulation {

/// Factor on launches and traffic of operators if the plan's use of a compiler differs from that of
/// the stack's figures; 1 if plan or stack does not state it.
double eager_factor(const Plan&, const KernelProfile&);

/// Bytes of a gradient as it travels: the plan's, otherwise the stack's.
double gradient_bytes(const Plan&, const KernelProfile&);

/// Plan and hardware that the layers of a step run on.
struct Machine {
  const Plan& plan;
  const Accelerator& accelerator;
  const KernelProfile& profile;
  const Communicators& communicators;
  PassPrecision precision{};
  bool of_mixture = false;  ///< the model has experts

  /// Factor of this chip on all compute time of a step.
  double chip_factor() const { return profile.factor_on(accelerator, of_mixture); }
  double gradient_bytes() const;
  /// Bytes of one parameter as it travels: the plan's, otherwise the stack's.
  double parameter_bytes() const;
};

/// Exposed share of overlapped tensor-parallel traffic: it travels in chunks, one a rank, beside
/// its products, which wait for the first chunk only.
inline double first_chunk(const Communicator& tensor) { return 1.0 / tensor.ranks; }

/// Both passes of one layer over one micro-batch, with recomputation in the backward pass, without
/// data-parallel traffic. Adds its collectives to `answered`.
LayerTimes layer_times(const LayerWork&, const Machine&, AnsweredCollectives& answered);

}  // namespace simulation
}  // namespace tofn
