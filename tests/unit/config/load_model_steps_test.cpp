#include <fstream>

#include "sim/config/load_plan.hpp"
#include "sim/config/load_step_profile.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_folder.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// A plan in which every field differs from its default.
Plan unusual_plan() {
  Plan plan{.tensor_parallel_size = 2,
            .pipeline_parallel_size = 4,
            .context_parallel_size = 2,
            .data_parallel_size = 4,
            .gradient_accumulation = 8,
            .micro_batch = 2,
            .expert_parallel_size = 2,
            .chunks_per_stage = 2,
            .sequence_parallel = true,
            .tensor_overlap = true,
            .context_exchange = ContextExchange::AllGather,
            .recompute = Recompute::Selective,
            .sharded = Sharded::Optimizer,
            .data_overlap = false,
            .send_overlap = true,
            .optimizer = OptimizerKind::Muon,
            .cuda_graphs = CudaGraphs::Layer,
            .precision = Precision::Fp8,
            .fp8_attention = true,
            .in_network_reduction = true};
  plan.stage_layers.counts = {3, 4, 4, 4, 4, 4, 4, 5};
  return plan;
}

ModelSteps some_steps() {
  return {.name = "mine",
          .model = "mixtral-8x7b",
          .sequence_length = 4096,
          .fine_tuning = {.lora_rank = 8,
                          .lora_targets = {LoraTarget::Up, LoraTarget::Down},
                          .packed_length = 512},
          .cluster = "dgx-h100",
          .stack = "megatron-core",
          .rows = {{.source = "train.log",
                    .step = Seconds{1.25},
                    .spread = 0.01,
                    .steps = 40,
                    .plan = unusual_plan()}}};
}

}  // namespace

TEST_CASE("a step profile of a model is read back as it was written, its whole plan") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "mine.yaml";
  const ModelSteps steps = some_steps();
  std::ofstream(file) << to_yaml(steps, folder.path());
  CHECK(is_of_model(file));
  const ModelSteps back = load_model_steps(file);
  CHECK(back.name == steps.name);
  CHECK(back.model == steps.model);
  CHECK(back.sequence_length == steps.sequence_length);
  CHECK(back.fine_tuning == steps.fine_tuning);
  CHECK(back.cluster == steps.cluster);
  CHECK(back.stack == steps.stack);
  REQUIRE(back.rows.size() == 1);
  const MeasuredStep& row = back.rows.front();
  CHECK(row.source == "train.log");
  CHECK(row.step == Seconds{1.25});
  CHECK(row.spread == 0.01);
  CHECK(row.steps == 40);
  const Plan request = *steps.rows.front().plan;
  REQUIRE(row.plan.has_value());
  CHECK(row.plan->gradient_accumulation == request.gradient_accumulation);
  CHECK(row.plan->micro_batch == request.micro_batch);
  visit_plan([&](const PlanField& field, auto member) {
    INFO(field.name);
    CHECK(((*row.plan).*member == request.*member));
  });
}

TEST_CASE("a profile of a model is none of a workload") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "mine.yaml";
  std::ofstream(file) << to_yaml(some_steps(), folder.path());
  CHECK_THAT(refusal([&] { load_step_profile(file); }),
             ContainsText("model: steps of a model say nothing of a workload"));
}
