#pragma once

#include <array>
#include <vector>

#include "sim/core/statistics.hpp"
#include "sim/simulation/simulation.hpp"
#include "sim/simulation/step_uncertainty.hpp"

namespace tofn {
inline namespace simulation {

/// What a step rests on that is in doubt.
struct StepInputs {
  Cluster cluster;
  KernelProfile profile;
  HeterogeneousNodes heterogeneous;
};

/// What each doubt alone does to a step from a model's dimensions, found by two more steps each; of
/// several together the product, so that draws cost nothing.
class StepResponses {
 public:
  /// Of a step that nothing moves.
  StepResponses() = default;
  /// `works` say how many micro-batches replicas run.
  StepResponses(const Model&, const Plan&, const StepInputs&,
                const std::vector<ReplicaWork>& works);

  /// Of a step that was measured: what one run differs from another by, as a standard deviation of
  /// its logarithm.
  static StepResponses of_measured(double deviation);

  /// The step's time under these factors over its time without, no less than its bound.
  double factor(const StepPerturbation&) const;
  /// Bounds the step's time over its time without any factor from below, by what the chip can do.
  void bound(double least) { least_ = least; }
  const StepSpreads& spreads() const { return spreads_; }

 private:
  /// Of the logarithm of the time: so much at the ends of a doubt's 90 % interval, in proportion
  /// between them.
  struct Response {
    double low = 0;
    double high = 0;
  };

  double least_ = 0;
  StepSpreads spreads_;
  std::array<Response, step_uncertainties.size()> responses_{};
};

/// 90 % interval of a step that takes `total`, from draws of all that is in doubt
/// (`step_uncertainties`).
Interval step_interval(Seconds total, const StepResponses&);

}  // namespace simulation
}  // namespace tofn
