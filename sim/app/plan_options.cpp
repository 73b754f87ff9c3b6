#include "sim/app/plan_options.hpp"

#include <array>
#include <string>

#include "sim/options/option_values.hpp"

namespace tofn {
namespace {

struct SizeOption {
  const char* name;
  const char* help;
  int Plan::*size;
};
constexpr std::array sizes{
    SizeOption{"tp", "tensor parallel size", &Plan::tensor_parallel_size},
    SizeOption{"pp", "pipeline stages", &Plan::pipeline_parallel_size},
    SizeOption{"cp", "context parallel size", &Plan::context_parallel_size},
    SizeOption{"ep", "expert parallel size", &Plan::expert_parallel_size},
    SizeOption{"chunks", "of layers on each stage: interleaving", &Plan::chunks_per_stage}};

struct SwitchOption {
  const char* name;
  const char* help;
  bool Plan::*is_on;
};
constexpr std::array switches{
    SwitchOption{"sequence-parallel", "on or off", &Plan::sequence_parallel},
    SwitchOption{"tensor-overlap", "on or off: tensor traffic beside its products",
                 &Plan::tensor_overlap},
    SwitchOption{"data-overlap", "on or off: gradients beside the passes", &Plan::data_overlap},
    SwitchOption{"shards-in-domain", "on or off: shards within a scale-up domain (HSDP)",
                 &Plan::shards_in_domain},
    SwitchOption{"offload-optimizer", "on or off: its state and step on the host",
                 &Plan::offloads_optimizer},
    SwitchOption{"fp8-attention", "on or off: attention of a model in fp8 or fp4",
                 &Plan::fp8_attention},
    SwitchOption{"sharp", "on or off: reduction in the network's switches",
                 &Plan::in_network_reduction}};

template <class E, std::size_t N>
void choose(const options::variables_map& values, const char* name,
            const std::array<std::pair<std::string_view, E>, N>& table, E& choice) {
  choice = choice_option(values, name, table).value_or(choice);
}

}  // namespace

void add_plan_options(options::options_description& description) {
  const auto text = [] { return options::value<std::string>(); };
  auto add = description.add_options();
  add("plan", text(), "a name of `tofn list plans`, or a file (.yaml); options go above it");
  for (const SizeOption& each : sizes) add(each.name, text(), each.help);
  add("micro-batch", text(), "samples per replica and pass");
  add("grad-accum", text(), "micro-batches of a step (default: what the batch needs)");
  add("schedule", text(), "of a pipeline: gpipe, 1f1b or zero-bubble");
  add("recompute", text(), "of activations: none, selective or full");
  add("sharded", text(), "over replicas: nothing, optimizer, gradients or parameters (ZeRO 0-3)");
  add("context-exchange", text(), "ring or all-gather");
  add("compression", text(), "of gradients: none, int8, top-k or power-sgd");
  add("cuda-graphs", text(), "none, segmented, layer or full_iteration: what is launched as one");
  add("precision", text(), "of the products: fp32, tf32, bf16, fp16, fp8 or fp4");
  for (const SwitchOption& each : switches) add(each.name, text(), each.help);
}

PlanFile plan_of(const options::variables_map& values, const std::filesystem::path& configs) {
  PlanFile plan;
  plan.name = "asked for";
  if (const auto name = text_option(values, "plan")) plan = find_plan(configs, *name);
  for (const SizeOption& each : sizes)
    plan.split.*each.size = count_option(values, each.name).value_or(plan.split.*each.size);
  for (const SwitchOption& each : switches)
    plan.split.*each.is_on = switch_option(values, each.name).value_or(plan.split.*each.is_on);
  if (const auto given = count_option(values, "micro-batch")) plan.micro_batch = given;
  if (const auto given = count_option(values, "grad-accum")) plan.gradient_accumulation = given;
  choose(values, "schedule", pipeline_schedules, plan.split.schedule);
  choose(values, "recompute", recompute_names, plan.split.recompute);
  choose(values, "sharded", sharded_names, plan.split.sharded);
  choose(values, "context-exchange", context_exchanges, plan.split.context_exchange);
  choose(values, "compression", compression_names, plan.split.compression);
  choose(values, "cuda-graphs", cuda_graph_names, plan.split.cuda_graphs);
  if (const auto given = choice_option(values, "precision", precision_names))
    plan.split.precision = given;
  return plan;
}

}  // namespace tofn
