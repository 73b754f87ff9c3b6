#pragma once

#include <array>
#include <vector>

#include "sim/core/statistics.hpp"
#include "sim/simulation/simulation.hpp"
#include "sim/simulation/step_uncertainty.hpp"

namespace tofn {
inline namespace simulation {

/// Uncertain inputs of a step.
struct StepInputs {
  Cluster cluster;
  KernelProfile profile;
  HeterogeneousNodes heterogeneous;
};

/// Response of a dimensioned step to each uncertain input, from two more steps each. Responses to
/// several inputs multiply, so that samples cost nothing.
class StepResponses {
 public:
  /// Responses of a step without uncertain inputs.
  StepResponses() = default;
  /// `works` gives the numbers of micro-batches of the replicas.
  StepResponses(const Model&, const Plan&, const StepInputs&,
                const std::vector<ReplicaWork>& works);

  /// Response of a measured step. `deviation` of the logarithm from run to run: that of the normal
  /// distribution whose 90 % interval is as wide.
  static StepResponses of_measured(double deviation);

  /// Step time under these factors over the time without, at least the bound.
  double factor(const StepPerturbation&) const;
  /// Sets the lower bound of `factor`, from what the chip can reach.
  void bound(double least) { least_ = least; }
  const StepSpreads& spreads() const { return spreads_; }

 private:
  /// Logarithm of the time at the ends of an input's 90 % interval, linear between them.
  struct Response {
    double low = 0;
    double high = 0;
  };

  double least_ = 0;
  StepSpreads spreads_;
  std::array<Response, step_uncertainties.size()> responses_{};
};

/// 90 % interval of a step that takes `total` on a cluster, sampled over all uncertain inputs
/// (`step_uncertainties`).
Interval step_interval(Seconds total, const StepResponses&, const Cluster&);

}  // namespace simulation
}  // namespace tofn
