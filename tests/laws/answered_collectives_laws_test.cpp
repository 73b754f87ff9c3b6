#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "sim/cluster/measured_machine.hpp"
#include "sim/core/name_table.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/simulation/mixed_nodes.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "tests/catch.hpp"
#include "tests/laws/machines.hpp"
#include "tests/unit/cluster/toy_machine.hpp"
#include "tests/unit/curves/known_tables.hpp"
#include "tests/unit/kernel/toy_profile.hpp"
#include "tests/unit/simulation/toy_model.hpp"

// Laws of what answers a step's collectives.
using namespace tofn;
using namespace tofn::test;

namespace {

using Kinds = std::set<CollectiveKind>;
using Sentences = std::vector<std::string>;

constexpr int ranks = 8;

/// The toy with a calibration that has tables for 8 ranks of one node.
Cluster calibrated_with(const Kinds& kinds) {
  std::vector<CollectiveTable> tables;
  for (const CollectiveKind kind : kinds) {
    tables.push_back(table_of(rows_of([](double bytes) { return 9 + bytes / 50e3; }, 10, 30, 1)));
    tables.back().collective = kind;
  }
  Cluster cluster = toy_machine();
  cluster.measured = std::make_shared<const MeasuredMachine>(
      MeasuredMachine{"rack", MeasuredCollectives(tables), {}});
  return cluster;
}

Kinds all_but(CollectiveKind lacking) {
  Kinds kinds;
  for (const auto& [name, kind] : collective_kinds)
    if (kind != lacking) kinds.insert(kind);
  return kinds;
}

Model with_fused_attention() {
  Model model = toy_model();
  std::get<TransformerLayers>(model.parts[1].shape).fused_attention = true;
  return model;
}

/// A job whose collectives are all over the 8 ranks of a node, and their kinds.
struct NodeJob {
  Plan plan;
  Kinds requested;
  Model model = toy_model();
};

std::vector<NodeJob> node_jobs() {
  using enum CollectiveKind;
  return {
      {{.data_parallel_size = ranks}, {AllReduce}},
      {{.data_parallel_size = ranks, .sharded = Sharded::Optimizer}, {ReduceScatter, AllGather}},
      {{.data_parallel_size = ranks, .sharded = Sharded::Parameters}, {ReduceScatter, AllGather}},
      {{.tensor_parallel_size = ranks}, {AllReduce}},
      {{.tensor_parallel_size = ranks, .sequence_parallel = true}, {ReduceScatter, AllGather}},
      {{.context_parallel_size = ranks}, {SendReceive, AllReduce}, with_fused_attention()},
      {{.data_parallel_size = ranks, .expert_parallel_size = ranks},
       {AllToAll, AllReduce},
       toy_mixture()}};
}

/// Sentence on what a calibration that lacks only this kind does not answer.
Sentences sentences_on(CollectiveKind lacking, const Kinds& requested) {
  if (requested.count(lacking) == 0) return {};
  const bool is_half =
      lacking == CollectiveKind::ReduceScatter || lacking == CollectiveKind::AllGather;
  return {fmt::format(
      "calibration rack holds no table for {}: {}", name_of(lacking),
      is_half ? "its all-reduce answers, times the formulas' ratio" : "formulas answer there")};
}

}  // namespace

TEST_CASE("a calibration that lacks one kind says so for that kind, where the job requests it") {
  for (const NodeJob& job : node_jobs())
    for (const auto& [name, lacking] : collective_kinds) {
      INFO("without " << name << " for " << plan_words(job.plan));
      const SimulatedStep step =
          simulate_step(job.model, job.plan, calibrated_with(all_but(lacking)), toy_profile());
      CHECK(step.substitutions == sentences_on(lacking, job.requested));
    }
}

TEST_CASE("a step lists each collective that it requests once, with its ranks") {
  for (const NodeJob& job : node_jobs())
    for (const bool calibrated : {false, true}) {
      const Cluster cluster =
          calibrated ? calibrated_with(job.requested) : calibrated_with(Kinds{});
      Kinds listed;
      for (const AnsweredCollective& each :
           simulate_step(job.model, job.plan, cluster, toy_profile()).work.answered) {
        CHECK(listed.insert(each.kind).second);
        CHECK(each.ranks == ranks);
        CHECK(each.by == (calibrated ? AnsweredBy::Table : AnsweredBy::Formula));
        CHECK_FALSE(each.in_network);
      }
      CHECK(listed == job.requested);
    }
}

TEST_CASE(
    "a pipeline lists its sends, the gathers of what they bring, and the table of both ends") {
  const Plan plan{
      .tensor_parallel_size = 4, .pipeline_parallel_size = 2, .gradient_accumulation = 2};
  std::set<std::pair<CollectiveKind, int>> listed;
  for (const AnsweredCollective& each :
       simulate_step(toy_model(), plan, toy_machine(), toy_profile()).work.answered)
    listed.emplace(each.kind, each.ranks);
  using enum CollectiveKind;
  CHECK(listed == std::set<std::pair<CollectiveKind, int>>{
                      {AllReduce, 2}, {AllReduce, 4}, {AllGather, 4}, {SendReceive, 2}});
}

TEST_CASE("a job on two kinds of nodes lists the collectives of both") {
  Cluster other = toy_machine();
  other.name = "other";
  const Plan plan{.tensor_parallel_size = ranks, .data_parallel_size = 4};
  const SimulatedStep step =
      simulate_step(toy_model(), plan, calibrated_with({CollectiveKind::AllReduce}), toy_profile(),
                    {.slow = {}, .mixed = MixedNodes{.cluster = other, .nodes = 2}});
  std::set<AnsweredBy> in_nodes;
  for (const AnsweredCollective& each : step.work.answered)
    if (each.ranks == ranks) in_nodes.insert(each.by);
  CHECK(in_nodes == std::set{AnsweredBy::Table, AnsweredBy::Formula});
}

TEST_CASE("SHARP is said to do nothing exactly where a step communicates as long without it") {
  const std::string nothing =
      "SHARP does nothing here: no collective is fastest in the network's switches";
  std::set<bool> seen;
  for (const char* name : {"dgx-h100", "dgx-a100"}) {
    const Cluster cluster = machine(name);
    for (const int replicas : {8, 16, 64, 512})
      for (const Sharded sharded : {Sharded::Nothing, Sharded::Optimizer}) {
        Plan plan{.data_parallel_size = replicas, .sharded = sharded};
        const SimulatedStep without = simulate_step(toy_model(), plan, cluster, toy_profile());
        plan.in_network_reduction = true;
        const SimulatedStep with = simulate_step(toy_model(), plan, cluster, toy_profile());
        const bool says_so =
            std::count(with.substitutions.begin(), with.substitutions.end(), nothing) == 1;
        INFO(name << ", " << replicas << " replicas");
        CHECK(says_so == (with.times.communication == without.times.communication));
        seen.insert(says_so);
      }
  }
  CHECK(seen.size() == 2);
}
