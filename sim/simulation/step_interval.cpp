#include "sim/simulation/step_interval.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/cluster/cluster_fields.hpp"
#include "sim/simulation/stack_doubt.hpp"
#include "sim/simulation/step_doubt.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace simulation {
namespace {

void scale_links(StepInputs& inputs, Doubt doubt, double factor) {
  scale_links(inputs.cluster, doubt, factor);
  if (inputs.heterogeneous.mixed) scale_links(inputs.heterogeneous.mixed->cluster, doubt, factor);
}

StepInputs perturbed(StepInputs inputs, const StepPerturbation& by) {
  inputs.profile.gemm_efficiency.value /= by.arithmetic;
  inputs.profile.memory_efficiency.value /= by.memory;
  inputs.profile.host_per_kernel.value *= by.overhead;
  scale_links(inputs, Doubt::Bandwidth, by.bandwidth);
  scale_links(inputs, Doubt::Latency, by.latency);
  return inputs;
}

constexpr double ninety_percent = 1.645;  // standard deviations to either end of an interval

/// What one doubt does to the logarithm of a step's time: so much at the ends of its 90 % interval,
/// in proportion between them.
struct Response {
  double low = 0;
  double high = 0;

  double at(double z) const { return std::abs(z) / ninety_percent * (z > 0 ? high : low); }
};

constexpr double share = 0.90;
constexpr int draws = 4000;  // both ends within 1 % of the width
constexpr std::uint64_t seed = 1;

}  // namespace

Interval step_interval(Seconds total, const Model& model, const Plan& plan,
                       const StepInputs& inputs, const std::vector<ReplicaWork>& works) {
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
  const StepSpreads spreads;
  // What was learnt of the stack takes the place of what is assumed of all.
  const StackDoubt& stack = inputs.profile.doubt;
  const bool is_learnt = !stack.covariance.empty();
  const auto of_stack = [&](const KernelProfile& profile) {
    StepInputs other = inputs;
    other.profile = profile;
    return seconds(other);
  };
  const double stack_spread =
      is_learnt ? stack_deviation(stack_response(inputs.profile, of_stack), stack) : 0;
  std::array<Response, step_doubts.size()> responses;
  for (std::size_t i = 0; i < responses.size(); ++i) {
    if (is_learnt && step_doubts[i].is_of_stack) continue;
    const auto end = [&](double deviations) {
      StepPerturbation by;
      by.*step_doubts[i].factor = Distribution{spreads.*step_doubts[i].spread}.draw(1, deviations);
      return std::log(seconds(perturbed(inputs, by)) / centre);
    };
    responses[i] = {.low = end(-ninety_percent), .high = end(ninety_percent)};
  }
  Random random(seed);
  std::vector<double> drawn(draws);
  for (double& time : drawn) {
    double logarithm = is_learnt ? stack_spread * random.normal() : 0;
    for (const Response& response : responses) logarithm += response.at(random.normal());
    time = total.base() * std::exp(logarithm);
  }
  return central_interval(drawn, share);
}

}  // namespace simulation
}  // namespace tofn
