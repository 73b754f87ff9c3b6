#include <algorithm>

#include <fmt/format.h>

#include "sim/formats/launchers/launch_stack.hpp"
#include "sim/formats/launchers/launch_writer.hpp"
#include "sim/formats/launchers/megatron_model.hpp"
#include "sim/formats/launchers/pipeline_layout.hpp"

// Arguments of Megatron-LM's pretrain_gpt.py.

namespace tofn {
inline namespace formats {
namespace {

constexpr std::string_view granularity_key = "recompute-granularity";

void read_megatron_pipeline(const LaunchValues& values, Plan& plan) {
  read_pipeline_split(values, plan);
  plan.send_overlap = plan.chunks_per_stage > 1 && !values.truth("no-overlap-p2p-communication");
}

void read_megatron_sharding(const LaunchValues& values, Plan& plan) {
  plan.sharded = values.truth("use-distributed-optimizer") ? Sharded::Optimizer : Sharded::Nothing;
  if (values.truth("use-megatron-fsdp")) values.choose("data-parallel-sharding-strategy", plan);
}

/// Reads the list of modules, separated by blanks; an empty list is the attention core.
void read_megatron_modules(const LaunchValues& values, Plan& plan) {
  constexpr std::string_view key = "recompute-modules";
  try {
    plan.recompute_modules = recompute_modules(values.text(key));
  } catch (const InputError& unknown) {
    values.fail(key, unknown.what());
  }
  if (plan.recompute_modules == RecomputeModules{RecomputeModule::CoreAttention})
    plan.recompute_modules = {};
}

/// Reads the CUDA graphs. `cuda-graph-scope` is the former name of the list of modules.
void read_megatron_graphs(const LaunchValues& values, Plan& plan) {
  values.choose("cuda-graph-impl", plan);
  if (values.truth("enable-cuda-graph") || values.truth("external-cuda-graph"))
    plan.cuda_graphs = std::max(plan.cuda_graphs, CudaGraphs::Layer);
  if (plan.cuda_graphs != CudaGraphs::Layer) return;
  std::string modules = values.text("cuda-graph-modules");
  if (modules.empty()) modules = values.text("cuda-graph-scope");
  if (modules == "full_iteration")
    plan.cuda_graphs = CudaGraphs::FullIteration;
  else if (!modules.empty() && modules != "full")
    plan.cuda_graphs = CudaGraphs::Segmented;
}

void write_megatron_graphs(const Plan& plan, LaunchValues& values) {
  if (plan.cuda_graphs == CudaGraphs::None) return;
  const bool is_segmented = plan.cuda_graphs == CudaGraphs::Segmented;
  Plan captured = plan;
  if (is_segmented) captured.cuda_graphs = CudaGraphs::Layer;
  values.set_word("cuda-graph-impl", captured);
  if (is_segmented)
    values.set("cuda-graph-modules",
               plan.expert_parallel_size > 1 ? "attn moe_router moe_preprocess" : "attn");
}

/// Reads the formats of the optimizer's state, which count only if Megatron-LM's optimizer is aware
/// of precisions. A plan has one format for both moments.
void read_megatron_states(const LaunchValues& values, Plan& plan) {
  if (!values.truth("use-precision-aware-optimizer")) return;
  values.choose("main-grads-dtype", plan);
  values.choose("exp-avg-dtype", plan);
  if (values.choice("exp-avg-sq-dtype").plan.kept_moments != plan.kept_moments)
    values.fail("exp-avg-sq-dtype", "only that of exp-avg-dtype is expressed");
  for (auto* kept : {&plan.kept_gradients, &plan.kept_moments})
    if (*kept == KeptFormat::Fp32) kept->reset();
}

/// Recomputation of the first `recompute-num-layers` layers of each stage: none or full. InputError
/// if it is only some of them.
Recompute recompute_of_block(const LaunchValues& values, std::string_view key, const Plan& plan) {
  const long long layers = values.whole("recompute-num-layers");
  const long long stages = 1LL * plan.pipeline_parallel_size * plan.chunks_per_stage;
  if (layers == 0) return Recompute::None;
  const long long all = product_of(values, "recompute-num-layers", {layers, stages});
  if (values.whole("num-layers") > 0 && all >= values.whole("num-layers")) return Recompute::Full;
  values.fail(key, fmt::format("'block', recomputation of {} layers of a stage, is not expressed: "
                               "all are, or none",
                               layers));
}

void read_megatron_numbers(const LaunchValues& values, Plan& plan) {
  plan.precision = values.truth("bf16")   ? Precision::Bf16
                   : values.truth("fp16") ? Precision::Fp16
                                          : Precision::Fp32;
  if (!values.text("fp8-format").empty()) plan.precision = Precision::Fp8;
  if (!values.text("fp4-format").empty()) plan.precision = Precision::Fp4;
  if (values.truth("grad-reduce-in-bf16")) plan.gradient_precision = Precision::Bf16;
  if (values.truth("fp8-param-gather")) plan.parameter_precision = Precision::Fp8;
  if (!values.text(granularity_key).empty()) values.choose(granularity_key, plan);
  if (values.truth("recompute-activations")) plan.recompute = Recompute::Selective;
  constexpr std::string_view former_method = "activations-checkpoint-method";
  if (values.truth("checkpoint-activations") || !values.text(former_method).empty())
    plan.recompute = Recompute::Full;
  for (const std::string_view key : {std::string_view("recompute-method"), former_method})
    if (plan.recompute == Recompute::Full && values.text(key) == "block")
      plan.recompute = recompute_of_block(values, key, plan);
  values.choose("moe-token-dispatcher-type", plan);
  if (plan.expert_dispatch == ExpertDispatch::DeepEp)
    values.choose("moe-flex-dispatcher-backend", plan);
  read_megatron_modules(values, plan);
  read_megatron_states(values, plan);
  read_megatron_graphs(values, plan);
}

void read_megatron_batch(const LaunchValues& values, Plan& plan) {
  const long long micro = values.whole("micro-batch-size");
  if (micro < 1) values.fail("micro-batch-size", "is needed");
  plan.micro_batch = static_cast<double>(micro);
  const long long replicas =
      product_of(values, "micro-batch-size", {micro, plan.data_parallel_size});
  constexpr std::string_view batch_key = "global-batch-size";
  const auto batch = values.count(batch_key);
  set_accumulation(values, batch_key, batch ? quotient_of(values, batch_key, *batch, replicas) : 1,
                   plan);
}

void read_megatron_experts(const LaunchValues& values, Plan& plan) {
  constexpr std::string_view key = "expert-tensor-parallel-size";
  const long long expert_tensor = values.whole(key);
  if (expert_tensor != 0 && expert_tensor != 1 && expert_tensor != plan.tensor_parallel_size)
    values.fail(key, fmt::format("only 1 or the tensor parallel size, {}, is expressed",
                                 plan.tensor_parallel_size));
  const bool has_experts = plan.expert_parallel_size > 1 || values.whole("num-experts") > 1;
  plan.whole_experts = expert_tensor == 1 && has_experts;
}

void check_is_gpt(const LaunchValues& values) {
  const std::string program = values.text("program");
  for (const auto& [start, what] : values.launcher().other_programs)
    if (program.starts_with(start))
      values.fail("program", fmt::format("'{}' trains {}, which is not read: pretrain_gpt.py is",
                                         program, what));
  const bool is_hybrid =
      program.starts_with("pretrain_mamba.py") || program.starts_with("pretrain_hybrid.py");
  if (is_hybrid && !values.is_stated("hybrid-layer-pattern") &&
      !values.is_stated("hybrid-override-pattern"))
    values.fail("hybrid-layer-pattern",
                "is needed: hybrids are read by the letters of their layers");
  if (values.is_stated("encoder-num-layers"))
    values.fail("encoder-num-layers",
                "encoders with decoders are not read: the GPT of num-layers is");
}

LaunchedTraining megatron_training(const LaunchValues& values, const LaunchSize& size) {
  check_is_gpt(values);
  LaunchedTraining training = training_on(values, size, "tensor-model-parallel-size");
  Plan& plan = training.plan;
  plan.data_parallel_size =
      rest_of(values, "tensor-model-parallel-size", *size.accelerators,
              {plan.tensor_parallel_size, plan.pipeline_parallel_size, plan.context_parallel_size});
  read_megatron_experts(values, plan);
  read_megatron_pipeline(values, plan);
  read_megatron_sharding(values, plan);
  read_megatron_numbers(values, plan);
  read_megatron_batch(values, plan);
  training.own_model = megatron_model(values, size.names_model);
  if (training.own_model && values.whole("num-experts") > 1 &&
      values.text("moe-token-dispatcher-type") == "allgather")
    training.own_model->substitutions.emplace_back(
        "tokens go to experts by an all-to-all; the file's dispatcher, allgather, is not "
        "simulated");
  if (values.whole("seq-length") != 0) training.sequence_length = length_of(values, "seq-length");
  const auto samples = values.count("train-samples");
  training.steps = values.count("train-iters");
  if (training.steps && samples)
    values.fail("train-samples", "stands beside train-iters, and Megatron-LM takes one of them");
  if (samples)
    training.steps = std::max(1LL, *samples / static_cast<long long>(plan.global_batch()));
  return training;
}

void write_megatron(const LaunchedTraining& training, LaunchValues& values) {
  const Plan& plan = training.plan;
  if (training.own_model) {
    set_megatron_model(*training.own_model, values);
    if (const int further = further_layers(*training.own_model); further > 0)
      values.set("mtp-num-layers", further);
  }
  if (training.sequence_length) values.set("seq-length", *training.sequence_length);
  values.set("micro-batch-size", static_cast<long long>(plan.micro_batch));
  values.set("global-batch-size", static_cast<long long>(plan.global_batch()));
  if (training.steps) values.set("train-iters", *training.steps);
  write_pipeline_split(training.own_model, plan, values);
  if (plan.chunks_per_stage > 1) values.set("no-overlap-p2p-communication", !plan.send_overlap);
  if (plan.expert_parallel_size > 1 || plan.whole_experts)
    values.set("expert-tensor-parallel-size", plan.whole_experts ? 1 : plan.tensor_parallel_size);
  if (plan.expert_parallel_size > 1 || plan.expert_dispatch != ExpertDispatch::AllToAll) {
    const bool is_flex = has_two_levels(plan.expert_dispatch);
    values.set("moe-token-dispatcher-type", is_flex ? "flex" : "alltoall");
    if (is_flex) values.set_word("moe-flex-dispatcher-backend", plan);
  }
  if (plan.recompute != Recompute::None) values.set_word(granularity_key, plan);
  if (plan.recompute == Recompute::Selective && !plan.recompute_modules.is_empty()) {
    std::string modules = to_text(plan.recompute_modules);
    std::replace(modules.begin(), modules.end(), ',', ' ');
    values.set("recompute-modules", modules);
  }
  write_megatron_graphs(plan, values);
  if (plan.kept_gradients || plan.kept_moments) {
    values.set("use-precision-aware-optimizer", true);
    for (const char* key : {"main-grads-dtype", "exp-avg-dtype", "exp-avg-sq-dtype"})
      values.set_word(key, plan);
  }
  if (plan.recompute == Recompute::Full) {
    values.set("recompute-method", "uniform");
    values.set("recompute-num-layers", 1);
  }
  values.set("use-distributed-optimizer", plan.sharded != Sharded::Nothing);
  if (plan.sharded == Sharded::Gradients || plan.sharded == Sharded::Parameters) {
    values.set("use-megatron-fsdp", true);
    values.set_word("data-parallel-sharding-strategy", plan);
  }
  const Precision precision = plan.precision.value_or(Precision::Bf16);
  values.set("bf16", precision != Precision::Fp16 && precision != Precision::Fp32);
  values.set("fp16", precision == Precision::Fp16);
  if (precision == Precision::Fp8) values.set("fp8-format", "hybrid");
  if (precision == Precision::Fp4) values.set("fp4-format", "e2m1");
  values.set("grad-reduce-in-bf16", plan.gradient_precision == Precision::Bf16);
  values.set("fp8-param-gather", plan.parameter_precision == Precision::Fp8);
}

/// Lists what neither a plan nor a model's dimensions state, with Megatron-LM's defaults.
std::vector<std::string> unstated_by_megatron(const LaunchedTraining& training) {
  std::vector<std::string> unstated;
  if (!training.rotary_base)
    unstated.emplace_back("the base of rotary positions (--rotary-base, else 10000)");
  if (!training.norm_epsilon)
    unstated.emplace_back("the epsilon of norms (--norm-epsilon, else 1e-05)");
  for (const char* each :
       {"the learning rate and its schedule (--lr, --min-lr, --lr-decay-style, --lr-warmup-iters)",
        "the weights' initial deviation and decay (--init-method-std, --weight-decay)",
        "the tokenizer (--tokenizer-type, --tokenizer-model)", "the data (--data-path)",
        "checkpoints (--save, --load)"})
    unstated.emplace_back(each);
  return unstated;
}

std::string write_megatron_script(const LaunchedTraining& training,
                                  std::span<const LaunchSetting> settings) {
  std::vector<LaunchSetting> flags;
  for (LaunchSetting setting : settings) {
    if (setting.value == "false") continue;
    if (setting.value == "true") setting.value.clear();  // a switch
    setting.is_list = setting.is_list || setting.key == "recompute-modules";
    flags.push_back(std::move(setting));
  }
  if (training.rotary_base) flags.push_back({.key = "rotary-base", .value = *training.rotary_base});
  if (training.norm_epsilon)
    flags.push_back({.key = "norm-epsilon", .value = *training.norm_epsilon});
  std::vector<std::string> front = launcher_words(training, "torchrun");
  front.emplace_back("pretrain_gpt.py");
  std::string text = "#!/bin/bash\n# Left out here, and to be added:\n";
  for (const std::string& each : unstated_by_megatron(training)) text += "# - " + each + '\n';
  return text + write_command(front, flags, OptionStyle::Dashed);
}

}  // namespace

const LaunchCode megatron_code{
    .launcher = "megatron-lm",
    .to_training = megatron_training,
    .from_training = write_megatron,
    .write = write_megatron_script,
    .unstated = unstated_by_megatron,
};

}  // namespace formats
}  // namespace tofn
