#include <initializer_list>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/random.hpp"
#include "sim/formats/launchers/launch_stack.hpp"
#include "sim/model/layer_work.hpp"
#include "sim/model/stages.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

// Tests that a stack's launch files, written from a plan, read back as the same plan.
using namespace tofn;

namespace {

template <class T>
T drawn(Random& random, std::initializer_list<T> values) {
  return *(values.begin() +
           static_cast<std::ptrdiff_t>(random.uniform() * static_cast<double>(values.size())));
}

/// Draws a training of sizes that any stack supports.
LaunchedTraining drawn_training(Random& random) {
  LaunchedTraining training;
  Plan& plan = training.plan;
  plan.tensor_parallel_size = drawn(random, {1, 2, 4, 8});
  plan.pipeline_parallel_size = drawn(random, {1, 1, 2, 4, 6});
  plan.context_parallel_size = drawn(random, {1, 1, 2});
  plan.data_parallel_size = drawn(random, {1, 2, 4, 12, 16});
  plan.micro_batch = drawn(random, {1, 2, 3, 8});
  plan.gradient_accumulation = plan.pipeline_parallel_size * drawn(random, {1, 2, 5});
  plan.expert_parallel_size = plan.data_parallel_size % 2 == 0 ? drawn(random, {1, 1, 2}) : 1;
  plan.recompute = drawn(random, {Recompute::None, Recompute::Selective, Recompute::Full});
  plan.precision = drawn(random, {Precision::Bf16, Precision::Fp16});
  plan.optimizer = drawn(random, {OptimizerKind::AdamW, OptimizerKind::Muon});
  training.sequence_length = drawn(random, {2048, 8192});
  training.steps = drawn(random, {100LL, 5000LL});
  training.accelerators_per_node = 8;
  return training;
}

LaunchedTraining drawn_for_torchtitan(Random& random) {
  LaunchedTraining training = drawn_training(random);
  Plan& plan = training.plan;
  training.model = drawn<std::string>(random, {"llama3-8b", "deepseek-v3"});
  plan.optimizer = drawn(random, {OptimizerKind::AdamW, OptimizerKind::Adam});
  plan.precision = drawn(random, {Precision::Bf16, Precision::Fp8, Precision::Fp32});
  plan.sequence_parallel = true;
  plan.tensor_overlap = drawn(random, {false, true});
  plan.whole_experts = plan.expert_parallel_size > 1 && drawn(random, {false, true});
  plan.context_exchange = drawn(random, {ContextExchange::Ring, ContextExchange::AllGather});
  plan.gradient_precision = drawn(random, {Precision::Fp32, Precision::Bf16});
  plan.kept_parameters = drawn(random, {KeptFormat::Fp32, KeptFormat::Bf16});
  plan.compile = drawn(random, {Compile::Off, Compile::On});
  if (plan.expert_parallel_size > 1)
    plan.expert_dispatch =
        drawn(random, {ExpertDispatch::AllToAll, ExpertDispatch::DeepEp, ExpertDispatch::HybridEp});
  const bool is_pipeline = plan.pipeline_parallel_size > 1;
  plan.sharded =
      drawn(random, {Sharded::Parameters, is_pipeline ? Sharded::Optimizer : Sharded::Gradients});
  plan.chunks_per_stage = is_pipeline ? drawn(random, {1, 2}) : 1;
  const int span = plan.tensor_parallel_size * plan.context_parallel_size;
  const int inside = 8 / std::min(8, span);
  plan.shards_in_domain = span * inside == 8 && plan.sharded == Sharded::Parameters &&
                          plan.data_parallel_size % inside == 0 &&
                          plan.data_parallel_size > inside && inside > 1 &&
                          drawn(random, {false, true});
  if (!plan.shards_in_domain && plan.sharded == Sharded::Parameters &&
      plan.data_parallel_size % 2 == 0 && plan.data_parallel_size > 2 && 2 * span != 8 &&
      plan.expert_parallel_size == 1)
    plan.shard_ranks = 2 * plan.context_parallel_size;
  return training;
}

LaunchedTraining drawn_for_maxtext(Random& random) {
  LaunchedTraining training = drawn_training(random);
  Plan& plan = training.plan;
  training.model = drawn<std::string>(random, {"llama2-70b", "mixtral-8x7b"});
  // MaxText's mesh has whole nodes.
  const int rest = plan.tensor_parallel_size * plan.context_parallel_size *
                   plan.pipeline_parallel_size * plan.data_parallel_size;
  if (rest % 8 != 0) plan.data_parallel_size *= 8;
  plan.schedule = PipelineSchedule::GPipe;
  training.is_tpu = drawn(random, {false, true});
  plan.sequence_parallel = drawn(random, {false, true});
  plan.sharded = plan.expert_parallel_size > 1 || plan.context_parallel_size > 1
                     ? Sharded::Parameters
                     : drawn(random, {Sharded::Nothing, Sharded::Parameters});
  const int span = plan.tensor_parallel_size * plan.context_parallel_size;
  if (plan.sharded == Sharded::Parameters && plan.expert_parallel_size == 1 &&
      plan.data_parallel_size % 2 == 0 && plan.data_parallel_size > 2 && 2 * span != 8)
    plan.shard_ranks = 2 * plan.context_parallel_size;
  plan.precision = drawn(random, {Precision::Bf16, Precision::Fp8});
  plan.kept_parameters = drawn(random, {KeptFormat::Fp32, KeptFormat::Bf16});
  plan.offloads_optimizer = plan.sharded == Sharded::Parameters &&
                            plan.optimizer == OptimizerKind::AdamW && drawn(random, {false, true});
  if (plan.recompute == Recompute::Selective)
    training.selective =
        drawn(random, {SelectiveRecompute::AttentionCore, SelectiveRecompute::CoreAndMlp,
                       SelectiveRecompute::CoreAndMlpInputs});
  return training;
}

LaunchedTraining drawn_for_deepspeed(Random& random) {
  LaunchedTraining training = drawn_training(random);
  Plan& plan = training.plan;
  // DeepSpeed's launcher starts the same number of processes on each node.
  training.accelerators_per_node = 4;
  plan.context_parallel_size = 1;
  if (plan.accelerators() > 4 && plan.accelerators() % 4 != 0) plan.data_parallel_size *= 4;
  plan.sequence_parallel = drawn(random, {false, true});
  plan.sharded = drawn(
      random, {Sharded::Nothing, Sharded::Optimizer, Sharded::Gradients, Sharded::Parameters});
  plan.data_overlap = drawn(random, {false, true});
  plan.precision = drawn(random, {Precision::Bf16, Precision::Fp16, Precision::Fp32});
  if (random.uniform() < 0.5)
    plan.gradient_precision = drawn(random, {Precision::Fp32, Precision::Bf16});
  if (random.uniform() < 0.5)
    plan.kept_gradients = drawn(random, {KeptFormat::Fp32, KeptFormat::Bf16});
  plan.offloads_optimizer = plan.sharded != Sharded::Nothing &&
                            plan.optimizer == OptimizerKind::AdamW && drawn(random, {false, true});
  return training;
}

Model drawn_model(Random& random) {
  TransformerLayers layers{.count = drawn(random, {12, 29, 48}),
                           .hidden = drawn(random, {1024, 4096}),
                           .feed_forward = drawn(random, {2048, 14336}),
                           .heads = drawn(random, {16, 32})};
  layers.key_value_heads = drawn(random, {8, layers.heads});
  layers.head_size = drawn(random, {64, 128});
  layers.gated = drawn(random, {false, true});
  layers.biases = drawn(random, {false, true});
  layers.norm_biases = drawn(random, {false, true});
  layers.query_key_norms = drawn(random, {false, true});
  layers.rotary = drawn(random, {false, true});
  layers.experts = drawn(random, {1, 8});
  layers.experts_per_token = layers.experts > 1 ? 2 : 1;
  layers.shared_feed_forward = layers.experts > 1 ? drawn(random, {0, 2048}) : 0;
  Model model;
  model.parts = {{.name = "vocabulary",
                  .shape = Vocabulary{.size = 32000,
                                      .hidden = layers.hidden,
                                      .positions = layers.rotary ? 0 : drawn(random, {0, 8192}),
                                      .tied = drawn(random, {false, true}),
                                      .biases = *layers.norm_biases}},
                 {.name = "transformer", .shape = layers}};
  return model;
}

LaunchedTraining drawn_for_megatron(Random& random) {
  LaunchedTraining training = drawn_training(random);
  Plan& plan = training.plan;
  training.accelerators_per_node = 4;
  if (plan.accelerators() > 4 && plan.accelerators() % 4 != 0) plan.data_parallel_size *= 4;
  training.own_model = drawn_model(random);
  training.own_model->sequence_length = *training.sequence_length;
  if (layer_traits(*training.own_model).front().experts == 1) plan.expert_parallel_size = 1;
  const bool is_pipeline = plan.pipeline_parallel_size > 1;
  plan.chunks_per_stage = is_pipeline ? drawn(random, {1, 2}) : 1;
  plan.send_overlap = plan.chunks_per_stage > 1 && drawn(random, {false, true});
  plan.balanced_stages = is_pipeline && drawn(random, {false, true});
  const bool needs_sequences = plan.expert_parallel_size > 1 && plan.tensor_parallel_size > 1;
  plan.sequence_parallel = needs_sequences || drawn(random, {false, true});
  plan.tensor_overlap = drawn(random, {false, true});
  plan.context_exchange = drawn(random, {ContextExchange::Ring, ContextExchange::AllGather});
  plan.whole_experts = plan.expert_parallel_size > 1 && drawn(random, {false, true});
  plan.expert_dispatch = drawn(random, {ExpertDispatch::AllToAll, ExpertDispatch::DeepEp});
  plan.sharded = drawn(
      random, {Sharded::Nothing, Sharded::Optimizer, Sharded::Gradients, Sharded::Parameters});
  plan.data_overlap = drawn(random, {false, true});
  plan.parameter_overlap = plan.data_overlap && drawn(random, {false, true});
  plan.precision = drawn(
      random, {Precision::Bf16, Precision::Fp16, Precision::Fp32, Precision::Fp8, Precision::Fp4});
  if (random.uniform() < 0.5) plan.gradient_precision = Precision::Bf16;
  plan.cuda_graphs = drawn(random, {CudaGraphs::None, CudaGraphs::Segmented, CudaGraphs::Layer,
                                    CudaGraphs::FullIteration});
  return training;
}

void check_same_model(const Model& request, const Model& read) {
  CHECK(parameters(read) == parameters(request));
  CHECK(active_parameters(read) == active_parameters(request));
  CHECK(model_flops(read).base() == model_flops(request).base());
  CHECK(layer_traits(read).front().dimensions == layer_traits(request).front().dimensions);
}

/// Plan with its layers per stage written out, because a file may state them by another rule than
/// the plan.
Plan with_counted_layers(Plan plan, const std::optional<Model>& model) {
  if (!model || plan.pipeline_parallel_size == 1) return plan;
  plan.stage_layers = stage_layers(layer_work(*model, plan), plan);
  plan.balanced_stages = false;
  return plan;
}

void check_same(const LaunchedTraining& request, LaunchedTraining read) {
  const Plan plan = with_counted_layers(without_idle_options(request.plan), request.own_model);
  read.plan = with_counted_layers(read.plan, request.own_model);
  visit_plan([&](const PlanField& field, auto member) {
    INFO(field.name);
    CHECK((plan.*member == read.plan.*member));
  });
  CHECK(read.plan.micro_batch == plan.micro_batch);
  CHECK(read.plan.gradient_accumulation == plan.gradient_accumulation);
  CHECK(read.sequence_length == request.sequence_length);
  CHECK(read.steps == request.steps);
  CHECK(read.selective == request.selective);
  CHECK(read.is_tpu == request.is_tpu);
}

}  // namespace

TEST_CASE("a launch file out and in again is the plan that it was written of") {
  struct Drawn {
    const char* stack;
    const char* file;
    LaunchedTraining (*draw)(Random&);
    bool names_model;
  };
  for (const auto& [name, file, draw, names_model] :
       {Drawn{"torchtitan", "tofn.toml", drawn_for_torchtitan, true},
        Drawn{"maxtext", "tofn.sh", drawn_for_maxtext, true},
        Drawn{"deepspeed", "tofn.sh", drawn_for_deepspeed, false},
        Drawn{"megatron-lm", "tofn.sh", drawn_for_megatron, false}}) {
    Random random(20261123);
    const Launcher& stack = launcher_named(configs, name);
    for (int i = 0; i < 200; ++i) {
      const LaunchedTraining request = draw(random);
      const LaunchWriting written = write_training(request, stack);
      INFO(fmt::format("{} {}: {}\n{}", name, i, plan_words(request.plan), written.text));
      REQUIRE(fmt::format("{}", fmt::join(written.left_out, ", ")).empty());
      const LaunchFile read = read_launch_text(written.text, file);
      REQUIRE(launcher_of(configs, read) == &stack);
      const LaunchReading reading = read_training(read, stack, {request.plan.accelerators()});
      for (const LaunchUnknown& unknown : reading.not_understood)
        CHECK(unknown.text == "src/maxtext/configs/base.yml");  // the table has its values
      check_same(request, reading.training);
      REQUIRE(request.own_model.has_value() == reading.training.own_model.has_value());
      if (request.own_model) check_same_model(*request.own_model, *reading.training.own_model);
      CHECK(reading.training.model == (names_model ? request.model : ""));
    }
  }
}
