#include "sim/config/resolve.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/cluster/unanswered_row.hpp"
#include "sim/core/error.hpp"

namespace tofn {
inline namespace config {
namespace {

int node_size(const RowInputs& in) {
  if (in.accelerators_per_node) return *in.accelerators_per_node;
  if (in.nodes && in.accelerators % *in.nodes == 0) return in.accelerators / *in.nodes;
  return 0;
}

/// Default number of accelerators of a node: those of a scale-up domain, unless a known cluster of
/// the accelerator has a domain of several nodes (NVL72).
int default_node_size(const Library& library, const Accelerator& accelerator) {
  for (const Cluster& each : library.clusters())
    if (each.accelerator.name == accelerator.name &&
        each.scale_up.domain_accelerators.value > each.accelerators_per_node.value)
      return each.accelerators_per_node.value;
  return accelerator.scale_up_domain_accelerators.value;
}

/// Default fabric of an accelerator without a cluster file: nominal bandwidth with the efficiency
/// and latencies that NCCL reaches on an HGX H100.
Cluster default_cluster(const Library& library, const Accelerator& accelerator) {
  const int node_size = default_node_size(library, accelerator);
  Cluster cluster;
  cluster.accelerator = accelerator;
  cluster.accelerators_per_node = {node_size, "assumed"};
  cluster.scale_up = {
      .kind = ScaleUpKind::Switch,
      .domain_accelerators = {accelerator.scale_up_domain_accelerators.value, "assumed"},
      .bandwidth = {accelerator.scale_up_bandwidth.value, "assumed"},
      .bandwidth_efficiency = {0.8, "assumed"},
      .latency = {Seconds{2e-6}, "assumed"},
      .in_switch_reduction = {false, "assumed"}};
  cluster.network = Network{.kind = NetworkKind::Infiniband,
                            .nics_per_node = {node_size, "assumed"},
                            .nic_bandwidth = {BytesPerSecond{50e9}, "assumed"},
                            .bandwidth_efficiency = {0.9, "assumed"},
                            .latency = {Seconds{5e-6}, "assumed"},
                            .in_network_reduction = {false, "assumed"},
                            .nodes_per_leaf = {32, "assumed"},
                            .oversubscription = {1.0, "assumed"}};
  return cluster;
}

/// Sets another node size than the default. The domain stays only if it spans several nodes by
/// default (NVL72). A board of four is a domain of four, so a run on two of them is not a
/// one-domain run.
void set_node_size(Cluster& cluster, int accelerators) {
  int& domain = cluster.scale_up.domain_accelerators.value;
  const bool spans_nodes = domain > cluster.accelerators_per_node.value;
  cluster.accelerators_per_node = {accelerators, "assumed"};
  if (!spans_nodes || domain % accelerators != 0) domain = accelerators;
}

/// Returns the workload's own plan with the sizes that the row states.
Plan simulated_plan(const RowInputs& in, Plan plan) {
  plan.tensor_parallel_size = in.tensor_parallel_size.value_or(plan.tensor_parallel_size);
  plan.pipeline_parallel_size = in.pipeline_parallel_size.value_or(plan.pipeline_parallel_size);
  plan.context_parallel_size = in.context_parallel_size.value_or(plan.context_parallel_size);
  plan.chunks_per_stage = in.chunks_per_stage.value_or(plan.chunks_per_stage);
  const int replicas = std::max(1, in.accelerators / plan.model_parallel_size());
  plan.gradient_accumulation = in.gradient_accumulation.value_or(
      static_cast<int>(std::max(1.0, in.global_batch / replicas / plan.micro_batch)));
  return make_plan(plan, in.accelerators, in.global_batch);
}

/// Split of a row over its accelerators. If it states none and has more replicas than samples,
/// accelerators must share samples: assumed as tensor parallelism of up to 4 (the published plans
/// of LoRA), the rest as context parallelism.
PlanRequest plan_request(const RowInputs& in, const Workload& workload) {
  PlanRequest request{.accelerators = in.accelerators,
                      .global_batch = in.global_batch,
                      .tensor_parallel_size = in.tensor_parallel_size.value_or(1),
                      .pipeline_parallel_size = in.pipeline_parallel_size.value_or(1),
                      .context_parallel_size = in.context_parallel_size.value_or(1),
                      .gradient_accumulation = in.gradient_accumulation.value_or(1)};
  const bool is_stated = in.tensor_parallel_size || in.context_parallel_size;
  if (is_stated || !workload.tensor_parallel) return request;
  const double sharing_exactly =
      1.0 * in.accelerators * request.gradient_accumulation / in.global_batch;
  if (sharing_exactly < 2 || sharing_exactly > in.accelerators ||
      sharing_exactly != std::floor(sharing_exactly))
    return request;
  const int sharing = static_cast<int>(sharing_exactly);
  constexpr int widest = 4;
  request.tensor_parallel_size = sharing % widest == 0 ? widest : sharing;
  request.context_parallel_size = sharing / request.tensor_parallel_size;
  return request;
}

}  // namespace

const Cluster& Resolver::cluster_for(const RowInputs& in, const Accelerator& accelerator) {
  const Cluster* known = library_.cluster_of_system(in.organisation, in.system, accelerator);
  const int per_node = node_size(in);
  const bool crosses =
      known != nullptr && in.accelerators > known->scale_up.domain_accelerators.value;
  if (known != nullptr && (per_node == 0 || known->accelerators_per_node.value == per_node) &&
      (known->network || !crosses))
    return *known;
  Cluster cluster = known != nullptr ? *known : default_cluster(library_, accelerator);
  cluster.name = fmt::format("{}/{}", in.organisation, in.system);
  cluster.description = "made up from the row: no cluster file describes this system";
  if (per_node > 0) set_node_size(cluster, per_node);
  if (!cluster.network) cluster.network = default_cluster(library_, accelerator).network;
  if (in.nics_per_node) cluster.network->nics_per_node = {*in.nics_per_node, "the row"};
  if (in.nic_gbps)
    cluster.network->nic_bandwidth = {BytesPerSecond{*in.nic_gbps * 1e9 / 8}, "the row"};
  made_up_.push_back(std::move(cluster));
  return made_up_.back();
}

ResolvedRow Resolver::resolve(const PublishedRow& row) {
  const RowInputs& in = row.inputs;
  ResolvedRow resolved{.row = row, .run = {}, .skipped_because = {}};
  const Workload* workload = library_.find_workload(in.benchmark);
  if (workload == nullptr) {
    resolved.skipped_because = fmt::format("no workload file describes '{}'", in.benchmark);
    return resolved;
  }
  const Accelerator* accelerator = library_.find_accelerator(in.accelerator);
  if (accelerator == nullptr) {
    resolved.skipped_because = unknown_accelerator(in.accelerator);
    return resolved;
  }
  if (!in.unknown.empty()) {
    resolved.skipped_because = in.unknown;
    return resolved;
  }
  try {
    const Plan plan = workload->simulated ? simulated_plan(in, workload->simulated->plan)
                                          : make_plan(plan_request(in, *workload));
    require_known_plan(*workload, plan);
    resolved.run = RunDescription{.workload = workload,
                                  .cluster = &cluster_for(in, *accelerator),
                                  .plan = plan,
                                  .settings = in.settings,
                                  .runs = in.runs.value_or(10),
                                  .round = in.round};
  } catch (const InputError& error) {
    resolved.skipped_because = error.what();
  }
  return resolved;
}

std::vector<ResolvedRow> Resolver::resolve(std::span<const PublishedRow> rows) {
  std::vector<ResolvedRow> resolved;
  resolved.reserve(rows.size());
  for (const PublishedRow& row : rows) resolved.push_back(resolve(row));
  return resolved;
}

}  // namespace config
}  // namespace tofn
