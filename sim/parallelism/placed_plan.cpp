#include "sim/parallelism/placed_plan.hpp"

#include <array>
#include <numeric>

#include <fmt/format.h>

#include "sim/core/error.hpp"

namespace tofn {
inline namespace parallelism {
namespace {

/// Number of neighbours that each kind of group spans, in order of how often they exchange: tensor,
/// context, experts, then all ranks of a stage.
std::array<int, 4> reaches(const Plan& plan) {
  const int tensor = plan.tensor_parallel_size;
  return {tensor, tensor * plan.context_parallel_size,
          plan.expert_parallel_size * (plan.whole_experts ? 1 : tensor),
          plan.accelerators() / plan.pipeline_parallel_size};
}

/// Smallest number of accelerators that keeps groups together: first those that divide a domain,
/// then more of them if they fit.
int kept_together(const Plan& plan, int domain, bool has_nodes) {
  const auto all = reaches(plan);
  // Unused accelerators of a node are paid too, which costs more than a stage's gradients gain.
  const std::size_t count = has_nodes ? all.size() : all.size() - 1;
  int kept = 1;
  for (std::size_t i = 0; i < count; ++i)
    if (domain % all[i] == 0) kept = std::lcm(kept, all[i]);
  for (std::size_t i = 0; i < count; ++i)
    if (all[i] <= domain && std::lcm(kept, all[i]) <= domain) kept = std::lcm(kept, all[i]);
  return kept;
}

/// Segment of whole nodes that divides the job; if there is none, the accelerators kept together.
int segment_of(int job, int kept, int node, int domain) {
  const int unit = std::lcm(kept, node);
  for (int segment = domain / unit * unit; segment > 0; segment -= unit)
    if (job % segment == 0) return segment;
  return kept;
}

int chosen(const Plan& plan, const Cluster& cluster) {
  const int domain = cluster.scale_up.domain_accelerators.value;
  const int node = cluster.accelerators_per_node.value;
  const int job = plan.accelerators();
  if (job <= domain || cluster.scale_up.torus) return domain;
  const bool has_nodes = node < domain;
  const int kept = kept_together(plan, domain, has_nodes);
  const int segment = has_nodes ? segment_of(job, kept, node, domain) : kept;
  return domain / segment * segment;
}

}  // namespace

PlacedJob placed_job(const Plan& plan, const Cluster& cluster) {
  const int domain = cluster.scale_up.domain_accelerators.value;
  const auto& stated = plan.accelerators_per_domain;
  if (stated && *stated > domain)
    throw InputError(
        fmt::format("accelerators_per_domain: {} of each, but a scale-up domain of {} "
                    "has {}",
                    *stated, cluster.name, domain));
  if (stated && *stated < domain && cluster.scale_up.torus)
    throw InputError(fmt::format(
        "accelerators_per_domain: {} is a torus, which a job fills without gaps", cluster.name));
  return {plan.accelerators(), stated ? *stated : chosen(plan, cluster)};
}

int used_of_domain(const Plan& plan, const Cluster& cluster) {
  return placed_job(plan, cluster).used_of(cluster.scale_up.domain_accelerators.value);
}

std::string placement_words(const Plan& plan, const Cluster& cluster) {
  const int domain = cluster.scale_up.domain_accelerators.value;
  const int used = used_of_domain(plan, cluster);
  return used == domain || plan.accelerators() <= used ? std::string()
                                                       : fmt::format("{} of each {}", used, domain);
}

}  // namespace parallelism
}  // namespace tofn
