#include "sim/simulation/step_uncertainty.hpp"

#include <algorithm>
#include <cmath>

#include "sim/cluster/cluster_fields.hpp"
#include "sim/simulation/stack_uncertainty.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace simulation {
namespace {

void scale_links(StepInputs& inputs, Uncertainty uncertainty, double factor) {
  scale_links(inputs.cluster, uncertainty, factor);
  if (inputs.heterogeneous.mixed)
    scale_links(inputs.heterogeneous.mixed->cluster, uncertainty, factor);
}

StepInputs perturbed(StepInputs inputs, const StepPerturbation& by) {
  inputs.profile.gemm_efficiency.value /= by.arithmetic;
  inputs.profile.memory_efficiency.value /= by.memory;
  inputs.profile.host_per_kernel.value *= by.overhead;
  scale_links(inputs, Uncertainty::Bandwidth, by.bandwidth);
  scale_links(inputs, Uncertainty::Latency, by.latency);
  return inputs;
}

}  // namespace

StepResponses::StepResponses(const Model& model, const Plan& plan, const StepInputs& inputs,
                             const std::vector<ReplicaWork>& works) {
  const auto seconds = [&](const StepInputs& of) {
    std::vector<ReplicaWork> others =
        replica_works(model, plan, of.cluster, of.profile, of.heterogeneous);
    Seconds longest;
    for (std::size_t i = 0; i < others.size(); ++i) {
      others[i].work.micro_batches = works[i].work.micro_batches;
      longest = std::max(longest, closed_form(others[i].work).total);
    }
    return longest.base();
  };
  const double centre = seconds(inputs);
  const StackUncertainty stack = uncertainty_on(inputs.profile, inputs.cluster.accelerator, model);
  const bool is_learned = !stack.covariance.empty();
  if (is_learned) {
    // Fitted uncertainty of the stack replaces the assumed one.
    for (const StepUncertainty& uncertainty : step_uncertainties)
      if (uncertainty.is_of_stack) spreads_.*uncertainty.spread = 0;
    const auto of_stack = [&](const KernelProfile& profile) {
      StepInputs other = inputs;
      other.profile = profile;
      return seconds(other);
    };
    const StackResponse response =
        stack_response(inputs.profile, of_stack, inputs.cluster.accelerator.architecture);
    spreads_.stack = scatter_scale(inputs.profile, stack_deviation(response, stack));
    // No step with fp4 products was measured, so they get the uncertainty of fp8 products before
    // any measurement.
    const Accelerator& accelerator = inputs.cluster.accelerator;
    if (accelerator.computes_in(requested_precision(model, plan)) == Precision::Fp4)
      spreads_.stack =
          std::hypot(spreads_.stack, stack_figures[fp8_figure].all * response[fp8_figure]);
  }
  for (std::size_t i = 0; i < responses_.size(); ++i) {
    if (step_uncertainties[i].factor == &StepPerturbation::stack ||
        spreads_.*step_uncertainties[i].spread == 0)
      continue;
    const auto end = [&](double deviations) {
      StepPerturbation by;
      by.*step_uncertainties[i].factor =
          Distribution{spreads_.*step_uncertainties[i].spread}.draw(1, deviations);
      return std::log(seconds(perturbed(inputs, by)) / centre);
    };
    responses_[i] = {.low = end(-ninety_percent_deviations),
                     .high = end(ninety_percent_deviations)};
  }
}

StepResponses StepResponses::of_measured(double deviation) {
  StepResponses responses;
  for (const StepUncertainty& uncertainty : step_uncertainties)
    responses.spreads_.*uncertainty.spread = 0;
  responses.spreads_.stack = deviation / student_tail;
  return responses;
}

double StepResponses::factor(const StepPerturbation& by) const {
  double logarithm = std::log(by.stack);
  for (std::size_t i = 0; i < responses_.size(); ++i) {
    const double spread = spreads_.*step_uncertainties[i].spread;
    if (spread == 0) continue;
    const double deviations = std::log(by.*step_uncertainties[i].factor) / spread;
    const Response& response = responses_[i];
    logarithm += std::abs(deviations) / ninety_percent_deviations *
                 (deviations > 0 ? response.high : response.low);
  }
  return std::max(least_, std::exp(logarithm));
}

Interval step_interval(Seconds total, const StepResponses& responses, const Cluster& cluster) {
  StepDraws draws(cluster.name, default_seed);
  std::vector<double> drawn(sample_count);
  for (double& time : drawn) {
    draws.next();
    time = total.base() * responses.factor(perturbation(responses.spreads(), draws.deviations()));
  }
  return sampled_interval(drawn, total.base());
}

}  // namespace simulation
}  // namespace tofn
