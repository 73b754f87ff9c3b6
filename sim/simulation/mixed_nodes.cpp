#include "sim/simulation/mixed_nodes.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include <fmt/format.h>

#include "sim/cluster/best_products.hpp"
#include "sim/cluster/cluster_fields.hpp"
#include "sim/core/error.hpp"
#include "sim/core/words.hpp"
#include "sim/parallelism/placed_plan.hpp"

namespace tofn {
inline namespace simulation {
namespace {

/// Throws InputError that names the option unless `holds`.
template <class... Parts>
void rule(bool holds, const char* option, fmt::format_string<Parts...> format, Parts&&... parts) {
  if (!holds) throw InputError({}, option, fmt::format(format, std::forward<Parts>(parts)...));
}

constexpr const char* nodes_option = "--mixed-with";
constexpr const char* stages_option = "--other-stages";
constexpr const char* layers_option = "--other-layers";
constexpr const char* deal_option = "--balance";

void check_machines(const Cluster& own, const Cluster& other) {
  rule(other.accelerators_per_node.value == own.accelerators_per_node.value, nodes_option,
       "nodes of {} hold {} accelerators, those of {} hold {}: a job needs nodes of one size",
       other.name, other.accelerators_per_node.value, own.name, own.accelerators_per_node.value);
  const int domain = own.scale_up.domain_accelerators.value;
  rule(other.scale_up.domain_accelerators.value == domain, nodes_option,
       "scale-up domains of {} join {} accelerators, those of {} join {}: a job needs one size",
       other.name, other.scale_up.domain_accelerators.value, own.name, domain);
  for (const Cluster* each : {&own, &other}) {
    rule(!each->scale_up.torus, nodes_option, "{} is one torus, which other nodes cannot join",
         each->name);
    rule(each->network.has_value(), nodes_option, "cluster {} has no network", each->name);
  }
}

void check_stages(const MixedNodes& mixed, const Plan& plan, int nodes) {
  const int stages = plan.pipeline_parallel_size;
  rule(mixed.stages.end <= stages, stages_option, "there is no stage {}: the plan has {}",
       mixed.stages.end, stages);
  const int held = (mixed.stages.end - mixed.stages.first) * (nodes / stages);
  rule(held == mixed.nodes, stages_option, "stages {}..{} lie on {}, not on {}",
       mixed.stages.first + 1, mixed.stages.end, counted(held, "node"), mixed.nodes);
  rule((!mixed.deals_by_speed && !mixed.layers) || plan.chunks_per_stage == 1,
       mixed.layers ? layers_option : deal_option,
       "moves layers between stages, and interleaving in {} chunks wants equal ones",
       plan.chunks_per_stage);
  rule((!mixed.deals_by_speed && !mixed.layers) || !plan.stage_layers.is_stated(),
       mixed.layers ? layers_option : deal_option,
       "moves layers between stages, and the plan states them (stage_layers)");
}

void check_replicas(const MixedNodes& mixed, const Plan& plan, const Cluster& own) {
  const int stages = plan.pipeline_parallel_size;
  const int replica = plan.model_parallel_size();
  const int ranks = mixed.nodes * own.accelerators_per_node.value;
  rule(ranks % replica == 0 && mixed.nodes % stages == 0, nodes_option,
       "whole replicas of {} accelerators in {} do not fill {} of {}; --other-stages gives stages "
       "instead",
       replica, counted(stages, "stage"), counted(mixed.nodes, "node"), mixed.cluster.name);
  const int sharers = expert_sharers(plan) / plan.data_parallel_size * replicas_on(mixed, plan);
  rule(sharers % plan.expert_parallel_size == 0, nodes_option,
       "groups of ep = {} ranks would have experts on both kinds", plan.expert_parallel_size);
  rule(!mixed.deals_by_speed || plan.sharded < Sharded::Gradients, deal_option,
       "sharded gradients or parameters travel with each micro-batch: all replicas need as many");
}

}  // namespace

StageRange stages_of(const SlowNode& slow, const Plan& plan, const Cluster& cluster) {
  assert(slow.kernels >= 1 && slow.link >= 1 && slow.stage >= 0);
  if (slow.stage >= plan.pipeline_parallel_size)
    throw InputError({}, "--slow-stage",
                     fmt::format("there is no stage {}: the plan has {}", slow.stage + 1,
                                 plan.pipeline_parallel_size));
  if (!slow.is_slower()) return {};
  // Ranks of a stage are neighbours, and a node may hold parts of several stages.
  const int ranks = plan.accelerators();
  const int each = ranks / plan.pipeline_parallel_size;
  const int per_node = placed_job(plan, cluster).used_of(cluster.accelerators_per_node.value);
  const int first_rank = slow.stage * each / per_node * per_node;
  const int last_rank = std::min(ranks, first_rank + per_node) - 1;
  return {.first = first_rank / each, .end = last_rank / each + 1};
}

void slow_down(Accelerator& accelerator, KernelProfile& profile, double factor) {
  for (auto& peak : accelerator.peak)
    if (peak) peak->value = peak->value / factor;
  // A lower peak beside an unchanged best product would state a higher share of the peak.
  for (const BestProduct& best : best_products)
    if (auto& figure = accelerator.*best.figure) figure->value = figure->value / factor;
  accelerator.memory_bandwidth.value = accelerator.memory_bandwidth.value / factor;
  profile.kernel_start.value = factor * profile.kernel_start;
}

Cluster with_slow_links(Cluster cluster, PlacedJob job, double factor) {
  keep_measured(cluster);
  const bool has_torus = cluster.scale_up.torus.has_value();
  if (cluster.network && !job.fits(cluster.scale_up.domain_accelerators.value) && !has_torus)
    cluster.network->nic_bandwidth.value = cluster.network->nic_bandwidth.value / factor;
  else
    cluster.scale_up.bandwidth.value = cluster.scale_up.bandwidth.value / factor;
  return cluster;
}

int replicas_on(const MixedNodes& mixed, const Plan& plan) {
  return mixed.nodes * mixed.cluster.accelerators_per_node.value / plan.model_parallel_size();
}

StageLayers stage_layers(const MixedNodes& mixed, const Plan& plan, int layers) {
  if (!mixed.layers) return {};
  const int other_stages = mixed.stages.end - mixed.stages.first;
  const int own_stages = plan.pipeline_parallel_size - other_stages;
  const int others = *mixed.layers;
  rule(other_stages <= others && others <= layers - own_stages, layers_option,
       "stages {}..{} can hold {} to {} of {} layers, not {}", mixed.stages.first + 1,
       mixed.stages.end, other_stages, layers - own_stages, layers, others);
  std::vector<int> held;
  std::array<int, 2> seen{};
  for (int stage = 0; stage < plan.pipeline_parallel_size; ++stage) {
    const bool is_other = mixed.stages.holds(stage);
    const int all = is_other ? others : layers - others;
    const int sharers = is_other ? other_stages : own_stages;
    const int before = seen[is_other ? 1 : 0]++;
    held.push_back(all * (before + 1) / sharers - all * before / sharers);
  }
  return {held};
}

void check_mixed(const MixedNodes& mixed, const Plan& plan, const Cluster& own) {
  check_machines(own, mixed.cluster);
  const int per_node = own.accelerators_per_node.value;
  rule(plan.accelerators() % per_node == 0, nodes_option, "{} accelerators do not fill nodes of {}",
       plan.accelerators(), per_node);
  const int nodes = plan.accelerators() / per_node;
  rule(mixed.nodes < nodes, nodes_option, "{} of {} leave none of {}: the job has {}",
       counted(mixed.nodes, "node"), mixed.cluster.name, own.name, nodes);
  rule(nodes % plan.pipeline_parallel_size == 0, nodes_option,
       "{} nodes do not divide into {} stages: some would hold two", nodes,
       plan.pipeline_parallel_size);
  if (mixed.stages.is_empty())
    check_replicas(mixed, plan, own);
  else
    check_stages(mixed, plan, nodes);
}

Cluster joined(const Cluster& own, const Cluster& other) {
  Cluster both = own;
  keep_measured(both);
  both.name = own.name == other.name ? own.name : fmt::format("{} + {}", own.name, other.name);
  both.scale_up = slower(own.scale_up, other.scale_up);
  both.network = slower(*own.network, *other.network);
  return both;
}

}  // namespace simulation
}  // namespace tofn
