#pragma once

#include <memory>
#include <string>

#include "sim/cluster/accelerator.hpp"
#include "sim/core/basis.hpp"
#include "sim/core/quantity.hpp"
#include "sim/workload/workload.hpp"

namespace tofn {
inline namespace workload {

/// How fast one accelerator runs one workload with one software release, learnt from steps that
/// were measured: a pass over b samples takes overhead + b * FLOPs / (peak * efficiency). The
/// overhead is what does not shrink with b: launches, small kernels, kernels too small to fill the
/// chip.
struct ComputeProfile {
  PassPrecision precision;
  double efficiency = 1;         ///< of the dense peak at those precisions
  double efficiency_spread = 0;  ///< relative, between systems and of the fit
  double step_spread = 0;      ///< relative, of the whole step: what none of these figures explains
  Seconds overhead;            ///< per forward and backward pass
  double overhead_spread = 0;  ///< relative
  Seconds host;  ///< that the host needs to launch both passes; 0: they are captured as a graph
  /// Share of the tensor-parallel traffic hidden behind GEMMs that costs time all the same, because
  /// both want the same SMs and memory: 0 is free overlap, 1 is none.
  double overlap_loss = 0;
  /// By how much a pass takes longer than a sample's share where ranks split its context: shorter
  /// products, attention in blocks. Relative.
  double context_loss = 0;
  double node_spread = 0;     ///< relative, between equal nodes: a job waits for its slowest
  double smallest_batch = 0;  ///< samples per replica and pass that calibrated it
  double largest_batch = 0;
  bool split_was_observed = false;  ///< runs of the same tp and cp calibrated it
  Basis basis = Basis::Assumed;     ///< of the efficiency
  Basis overhead_basis = Basis::Assumed;
  /// Of simulated steps: the workload's stack as measured steps of it leave it; absent: as it is.
  std::shared_ptr<const KernelProfile> kernels{};
  std::string origin;  ///< what it was calibrated on, for the reader
};

/// Seconds that this much work takes at the full peak of its precisions.
Seconds ideal_time(Flops matmul, Flops attention, const Accelerator&, PassPrecision);
/// Likewise both passes of one sample of a workload.
Seconds ideal_time(const WorkTotals&, const Accelerator&, PassPrecision);

}  // namespace workload
}  // namespace tofn
