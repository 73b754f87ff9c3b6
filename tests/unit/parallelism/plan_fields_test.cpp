#include "sim/parallelism/plan_fields.hpp"

#include <set>
#include <string>

#include <fmt/format.h>

#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("keys, names and options of a plan are unique") {
  std::set<std::string> keys, names;
  visit_plan([&](const PlanField& field, auto) {
    INFO(field.name);
    if (!field.key.empty()) CHECK(keys.emplace(field.key).second);
    CHECK(names.insert(field.option()).second);
    CHECK_FALSE(field.meaning.empty());
  });
  CHECK(names.contains("sequence-parallel"));
}

TEST_CASE("a plan's words name each thing that is not as usual") {
  Plan plan{.tensor_parallel_size = 2, .context_parallel_size = 3, .data_parallel_size = 4};
  plan.expert_parallel_size = 2;
  plan.micro_batch = 1.5;
  plan.schedule = PipelineSchedule::GPipe;  // no effect without a pipeline
  plan.sequence_parallel = plan.tensor_overlap = true;
  plan.context_exchange = ContextExchange::AllGather;
  plan.sharded = Sharded::Gradients;
  CHECK(plan_words(plan) ==
        "tp 2, cp 3, dp 4, ep 2, 1 micro-batch of 1.5, sequence parallel, tensor overlap, "
        "all-gather of keys and values, gradients sharded");
  plan.shards_in_domain = plan.offloads_optimizer = plan.in_network_reduction = true;
  plan.cuda_graphs = CudaGraphs::Layer;
  plan.data_overlap = false;
  plan.sequence_parallel = plan.tensor_overlap = false;
  CHECK(plan_words(plan) ==
        "tp 2, cp 3, dp 4, ep 2, 1 micro-batch of 1.5, all-gather of keys and values, "
        "gradients sharded in the domain, gradients not overlapped, optimizer on the host, "
        "CUDA graphs layer, SHARP");
}

namespace {

/// Names of the fields that make_plan() changes in the plan, in the order of the rows.
std::string left_out(const Plan& plan, int accelerators) {
  const Plan made = make_plan(plan, accelerators, 64);
  std::string names;
  visit_plan([&](const PlanField& field, auto member) {
    if (!field.is_worked_out && made.*member != plan.*member)
      names += fmt::format("{} ", field.name);
  });
  return names;
}

}  // namespace

TEST_CASE("what does nothing at a plan's sizes is left out, and nothing else") {
  Plan all{.tensor_parallel_size = 2,
           .pipeline_parallel_size = 2,
           .context_parallel_size = 2,
           .gradient_accumulation = 2,
           .chunks_per_stage = 2,
           .schedule = PipelineSchedule::BreadthFirst,
           .sequence_parallel = true,
           .tensor_overlap = true,
           .context_exchange = ContextExchange::AllGather,
           .recompute = Recompute::Full,
           .sharded = Sharded::Optimizer,
           .shards_in_domain = true,
           .parameter_overlap = true,
           .send_overlap = true,
           .offloads_optimizer = true};
  CHECK(left_out(all, 16).empty());
  const auto without = [&](int Plan::*size) {
    Plan plan = all;
    plan.*size = 1;
    return left_out(plan, plan.model_parallel_size() * 2);
  };
  CHECK(without(&Plan::tensor_parallel_size) == "sequence_parallel tensor_overlap ");
  CHECK(without(&Plan::pipeline_parallel_size) == "chunks schedule send_overlap ");
  CHECK(without(&Plan::context_parallel_size) == "context_exchange ");
  all.context_parallel_size = 1;
  all.data_overlap = true;
  CHECK(left_out(all, 4) == "context_exchange sharded shards_in_domain parameter_overlap ");
  all.sharded = Sharded::Parameters;
  CHECK(left_out(all, 8) == "context_exchange parameter_overlap ");
  CHECK(left_out({.data_overlap = false, .compression = GradientCompression::Int8}, 1) ==
        "data_overlap compression ");
}
