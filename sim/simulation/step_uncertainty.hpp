#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "sim/core/common_draws.hpp"
#include "sim/core/random.hpp"
#include "sim/core/statistics.hpp"
#include "sim/simulation/simulation.hpp"

// Uncertainty of the inputs of a step, and how it is sampled: the one place for steps of models and
// of workloads, and for their runs.

namespace tofn {
inline namespace simulation {

/// Factors on the inputs of a step: 1 for the prediction itself, others for samples.
struct StepPerturbation {
  double arithmetic = 1;  ///< on the time of products
  double memory = 1;      ///< on the time of kernels that move bytes
  double overhead = 1;    ///< on the time of the host
  /// Bandwidth of links; measured collectives shift by as many of their own deviations.
  double bandwidth = 1;
  double latency = 1;
  double stack = 1;  ///< on the whole step: the remaining uncertainty of its software

  bool operator==(const StepPerturbation&) const = default;
};

/// Relative standard deviations of the factors. Products: the error that remains if a model is left
/// out of the fit (configs/stacks); memory and host time are assumed. Large-message bandwidths of
/// equal clusters differ by 5 to 15 % (nccl-tests logs of 4 and 8 H100 nodes,
/// github.com/NVIDIA/nccl-tests issue 309); that of latencies is assumed.
struct StepSpreads {
  double arithmetic = 0.03;
  double memory = 0.10;
  double overhead = 0.50;
  double bandwidth = 0.15;
  double latency = 0.30;
  double stack = 0;  ///< of stacks fitted to measured steps (`stack_deviation`)
};

/// Degrees of freedom of Student's t, as which steps scatter about their predictions. The fit of
/// stacks takes runs to scatter so; errors of left-out models, of all stacks, follow the same t: at
/// their median 0.70, at 80 % 1.55 and at 90 % 2.00 deviations (t: 0.73, 1.48, 2.02; a normal
/// distribution 0.67, 1.28 and 1.64).
inline constexpr double run_freedom = 5;
/// End of the 90 % interval of that t over that of a normal distribution of the same scale.
inline const double student_tail =
    student_deviation(ninety_percent_deviations, run_freedom) / ninety_percent_deviations;

/// One uncertain input of a step.
struct StepUncertainty {
  std::string_view name;
  double StepPerturbation::*factor;
  double StepSpreads::*spread;
  bool is_of_stack = false;  ///< replaced by the stack's fitted uncertainty
  bool is_of_links = false;  ///< differs by cluster; the others are the software's, alike anywhere
  double freedom = 0;        ///< of the Student's t that it follows; 0: it is normal

  /// Deviation at the share of a standard normal value z.
  double deviation(double z) const { return freedom > 0 ? student_deviation(z, freedom) : z; }
};
inline constexpr std::array step_uncertainties{
    StepUncertainty{"rate of products", &StepPerturbation::arithmetic, &StepSpreads::arithmetic,
                    true},
    StepUncertainty{"time of the host", &StepPerturbation::overhead, &StepSpreads::overhead, true},
    StepUncertainty{"bandwidth of links", &StepPerturbation::bandwidth, &StepSpreads::bandwidth,
                    false, true},
    StepUncertainty{"latency of links", &StepPerturbation::latency, &StepSpreads::latency, false,
                    true},
    StepUncertainty{"bandwidth of memory", &StepPerturbation::memory, &StepSpreads::memory, true},
    StepUncertainty{"software", &StepPerturbation::stack, &StepSpreads::stack, false, false,
                    run_freedom}};

/// Deviations of the inputs of a step in the order of `step_uncertainties`, in standard deviations.
using StepDeviations = std::array<double, step_uncertainties.size()>;

/// Factors for inputs that deviate so far; those without a spread do not.
inline StepPerturbation perturbation(const StepSpreads& spreads, const StepDeviations& deviations) {
  StepPerturbation by;
  for (std::size_t i = 0; i < deviations.size(); ++i)
    if (const double spread = spreads.*step_uncertainties[i].spread; spread > 0)
      by.*step_uncertainties[i].factor = Distribution{spread}.draw(1, deviations[i]);
  return by;
}

/// Samples of the deviations of all inputs, in standard deviations. Inputs without a spread are
/// drawn too, so that the i-th sample of one step uses the same numbers as that of any other.
class StepDraws {
 public:
  StepDraws(std::string_view cluster, std::uint64_t seed)
      : of_software_(DrawStream::Software, seed), of_links_(DrawStream::Links, seed, cluster) {}

  void next() {
    of_software_.next();
    of_links_.next();
    for (std::size_t i = 0; i < step_uncertainties.size(); ++i) {
      const double software = of_software_.normal();
      const double links = of_links_.normal();
      const StepUncertainty& uncertainty = step_uncertainties[i];
      deviations_[i] = uncertainty.deviation(uncertainty.is_of_links ? links : software);
    }
  }
  const StepDeviations& deviations() const { return deviations_; }

 private:
  CommonDraws of_software_;
  CommonDraws of_links_;
  StepDeviations deviations_{};
};

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
