#pragma once

#include <array>
#include <string_view>

#include "sim/core/random.hpp"

// How far the figures that a step rests on may be off, and how that is drawn: the one place for
// steps of models and of workloads, and for the runs made of them.

namespace tofn {
inline namespace simulation {

/// Factors on what a step rests on: 1 for the prediction itself, others for draws.
struct StepPerturbation {
  double arithmetic = 1;  ///< on the time of products
  double memory = 1;      ///< on the time of kernels that move bytes
  double overhead = 1;    ///< on the host's time
  double bandwidth = 1;  ///< of links; measured collectives move by as many of their own deviations
  double latency = 1;
  double stack = 1;  ///< on the whole step: what measured steps leave open of its software

  bool operator==(const StepPerturbation&) const = default;
};

/// Relative standard deviations of the same. Products: what leaving a model out of the fit leaves
/// of error (configs/stacks); memory and host time are assumed. Large-message bandwidths of equal
/// clusters differ by 5 to 15 % (nccl-tests logs of 4 and 8 H100 nodes,
/// github.com/NVIDIA/nccl-tests issue 309); that of latencies is assumed.
struct StepSpreads {
  double arithmetic = 0.03;
  double memory = 0.10;
  double overhead = 0.50;
  double bandwidth = 0.15;
  double latency = 0.30;
  double stack = 0;  ///< of stacks that measured steps taught (`stack_deviation`)
};

/// A row for each doubt.
struct StepUncertainty {
  std::string_view name;
  double StepPerturbation::*factor;
  double StepSpreads::*spread;
  bool is_of_stack = false;  ///< what measured steps teach of a stack takes its place
  bool is_of_links = false;  ///< a cluster's own; the others are of the software, the same anywhere
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
    StepUncertainty{"software", &StepPerturbation::stack, &StepSpreads::stack}};

/// What moved by so many of its standard deviations makes of a step; `deviations_of`: doubt ->
/// double, asked of doubts that have a spread, in their order.
template <class DeviationsOf>
StepPerturbation perturbation(const StepSpreads& spreads, DeviationsOf deviations_of) {
  StepPerturbation by;
  for (const StepUncertainty& uncertainty : step_uncertainties)
    if (const double spread = spreads.*uncertainty.spread; spread > 0)
      by.*uncertainty.factor = Distribution{spread}.draw(1, deviations_of(uncertainty));
  return by;
}

/// Independent log-normal factors; what has no spread draws nothing.
inline StepPerturbation draw_step(const StepSpreads& spreads, Random& random) {
  return perturbation(spreads, [&](const StepUncertainty&) { return random.normal(); });
}

}  // namespace simulation
}  // namespace tofn
