#pragma once

#include <memory>
#include <string>

#include "sim/cluster/accelerator.hpp"
#include "sim/core/basis.hpp"
#include "sim/core/quantity.hpp"
#include "sim/workload/workload.hpp"

namespace tofn {
inline namespace workload {

/// Speed of one accelerator that runs one workload with one software release, fitted to measured
/// steps: a pass over b samples takes overhead + b * FLOPs / (peak * efficiency). The overhead does
/// not shrink with b: launches, small kernels, kernels too small to fill the chip.
struct ComputeProfile {
  PassPrecision precision;
  double efficiency = 1;         ///< share of the dense peak at those precisions
  double efficiency_spread = 0;  ///< relative, between systems and of the fit
  double step_spread = 0;      ///< relative, of the whole step: the part that none of these figures
                               ///< explains
  Seconds overhead;            ///< per forward and backward pass
  double overhead_spread = 0;  ///< relative
  Seconds host;  ///< host time to launch both passes; 0 if they are captured as a graph
  /// Share of the time of tensor-parallel traffic hidden behind GEMMs that still costs time,
  /// because both need the same SMs and memory: 0 is free overlap, 1 is none.
  double overlap_loss = 0;
  /// Relative extra time of a pass over its sample's share if ranks split the sample's context:
  /// shorter products, attention in blocks.
  double context_loss = 0;
  double node_spread = 0;     ///< relative, between equal nodes: a job waits for its slowest
  double smallest_batch = 0;  ///< fewest samples of a pass (per replica) in calibration; below, the
                              ///< most
  double largest_batch = 0;
  bool split_was_observed = false;  ///< runs of the same tp and cp calibrated it
  Basis basis = Basis::Assumed;     ///< of the efficiency
  Basis overhead_basis = Basis::Assumed;
  /// Figures of the workload's stack after a fit to measured steps of the workload, for simulated
  /// steps; absent if the stack's own figures apply.
  std::shared_ptr<const KernelProfile> kernels{};
  std::string origin;  ///< the steps that it was calibrated on, as text for people
};

/// Time of this much work at the full peak of its precisions.
Seconds ideal_time(Flops matmul, Flops attention, const Accelerator&, PassPrecision);
/// Time of both passes of one sample at the full peak.
Seconds ideal_time(const WorkTotals&, const Accelerator&, PassPrecision);

}  // namespace workload
}  // namespace tofn
