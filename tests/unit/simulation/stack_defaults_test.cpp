#include "sim/simulation/stack_defaults.hpp"

#include <string_view>
#include <variant>

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

Plan run(const StackDefaults& stack, Plan plan, std::string_view stated = "") {
  return as_run_by(stack, plan, [=](std::string_view name) { return name == stated; });
}

}  // namespace

TEST_CASE("a stack keeps its state in its formats, but for what a plan states") {
  StackDefaults stack;
  stack.kept_gradients = stack.kept_moments = KeptFormat::Bf16;
  const Plan typical = run(stack, {});
  CHECK(typical.kept_gradients == KeptFormat::Bf16);
  CHECK(typical.kept_moments == KeptFormat::Bf16);
  CHECK_FALSE(typical.kept_master.has_value());
  Plan wide;
  wide.kept_gradients = KeptFormat::Fp32;
  CHECK(run(stack, wide, "kept_gradients").kept_gradients == KeptFormat::Fp32);
}

TEST_CASE("on pipelines plans that shard parameters are what the stack makes of them") {
  StackDefaults stack;
  stack.sharded_in_pipeline = Sharded::Optimizer;
  Plan plan;
  plan.sharded = Sharded::Parameters;
  CHECK(run(stack, plan).sharded == Sharded::Parameters);
  plan.pipeline_parallel_size = 4;
  CHECK(run(stack, plan).sharded == Sharded::Optimizer);
  CHECK(run(stack, plan, "sharded").sharded == Sharded::Parameters);
  plan.sharded = Sharded::Gradients;
  CHECK(run(stack, plan).sharded == Sharded::Gradients);
}

TEST_CASE("a stack sends tokens by DeepEP only on chips that run it, but for what a plan states") {
  StackDefaults stack;
  stack.expert_dispatch = ExpertDispatch::DeepEp;
  Accelerator chip;
  const auto made = [&](const char* vendor, Plan plan, std::string_view stated = "") {
    chip.vendor = vendor;
    return as_run_by(stack, plan, chip, [=](std::string_view name) { return name == stated; })
        .expert_dispatch;
  };
  const Plan plan{.expert_parallel_size = 8};
  CHECK(made("NVIDIA", plan) == ExpertDispatch::DeepEp);
  for (const char* vendor : {"AMD", "Google"})
    CHECK(made(vendor, plan) == ExpertDispatch::AllToAll);
  Plan stated = plan;
  stated.expert_dispatch = ExpertDispatch::HybridEp;
  CHECK(made("Google", stated, "expert_dispatch") == ExpertDispatch::HybridEp);
}

TEST_CASE("what is held for the loss is the model's, else the stack's") {
  StackDefaults stack;
  stack.loss_bytes = 12;
  stack.split_loss_bytes = 16;
  const auto held = [&](Vocabulary vocabulary) {
    Model model;
    model.parts = {{.name = "vocabulary", .shape = vocabulary}};
    return std::get<Vocabulary>(as_run_by(stack, model).parts[0].shape);
  };
  CHECK(held({}).loss_bytes == 12);
  CHECK(held({}).split_loss_bytes == 16);
  CHECK(held({.loss_bytes = 4}).loss_bytes == 4);
  CHECK_FALSE(held({.loss_bytes = 4}).split_loss_bytes.has_value());
}

TEST_CASE("a stack refuses the plans that it cannot run, each with what it lacks") {
  StackDefaults stack;
  Plan plan;
  const auto with = [&](auto Plan::*member, auto value) {
    Plan changed = plan;
    changed.*member = value;
    return cannot_run(stack, changed);
  };
  plan.data_parallel_size = 4;
  CHECK(with(&Plan::pipeline_parallel_size, 2).empty());
  stack.runs_tensor_parallel = stack.runs_pipelines = stack.runs_context_parallel = false;
  CHECK(cannot_run(stack, plan).empty());
  CHECK(with(&Plan::tensor_parallel_size, 2) == "has no tensor parallelism");
  CHECK(with(&Plan::pipeline_parallel_size, 2) == "has no pipelines");
  CHECK(with(&Plan::context_parallel_size, 2) == "has no context parallelism");

  stack = {};
  stack.runs_schedules = {PipelineSchedule::GPipe};
  CHECK(cannot_run(stack, plan).empty());  // a single stage has no schedule
  CHECK(with(&Plan::pipeline_parallel_size, 2) == "has no pipeline schedule 1f1b");

  stack = {};
  stack.runs_sharded = {Sharded::Parameters};
  stack.sharded_in_pipeline = Sharded::Optimizer;
  CHECK(with(&Plan::sharded, Sharded::Parameters).empty());
  CHECK(cannot_run(stack, plan) == "shards something over replicas");
  CHECK(with(&Plan::sharded, Sharded::Optimizer) == "does not shard optimizer over replicas");
  plan.pipeline_parallel_size = 2;  // in pipelines the stack shards only the optimizer
  CHECK(with(&Plan::sharded, Sharded::Optimizer).empty());
  CHECK(with(&Plan::sharded, Sharded::Gradients) == "does not shard gradients over replicas");
}
