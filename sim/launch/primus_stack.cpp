#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/core/names.hpp"
#include "sim/launch/launch_names.hpp"
#include "sim/launch/launch_stack.hpp"
#include "sim/launch/megatron_keys.hpp"

// AMD's Primus: YAML that names one of its models and overrides flags of Megatron-LM, or keys of
// torchtitan, which run below it (github.com/AMD-AGI/Primus, fd1eeabb).

namespace tofn {
inline namespace launch {
namespace {

constexpr std::string_view module = "modules.pre_trainer.";
constexpr std::string_view overrides = "modules.pre_trainer.overrides.";

/// A model of primus/configs/models/megatron, as flags of what it does not share with the others;
/// dimensions are those of its config.json on huggingface.co.
struct PrimusModel {
  std::string_view name;
  std::string_view flags;  ///< `NAME VALUE NAME VALUE`
};
/// llama_base.yaml, on which all of them stand.
constexpr std::string_view primus_layers =
    "swiglu true disable-bias-linear true untie-embeddings-and-output-weights true "
    "position-embedding-type rope normalization RMSNorm";
constexpr std::string_view llama3_8b =
    "num-layers 32 hidden-size 4096 ffn-hidden-size 14336 num-attention-heads 32 "
    "group-query-attention true num-query-groups 8 vocab-size 128256";
constexpr std::string_view llama3_70b =
    "num-layers 80 hidden-size 8192 ffn-hidden-size 28672 num-attention-heads 64 "
    "group-query-attention true num-query-groups 8 vocab-size 128256";
constexpr auto primus_models = std::to_array<PrimusModel>({
    {"deepseek_v2",
     "num-layers 60 hidden-size 5120 ffn-hidden-size 12288 num-attention-heads 128 "
     "multi-latent-attention true q-lora-rank 1536 kv-lora-rank 512 qk-head-dim 128 "
     "qk-pos-emb-head-dim 64 v-head-dim 128 qk-layernorm true moe-layer-freq ([0]*1+[1]*59) "
     "num-experts 160 moe-router-topk 6 moe-ffn-hidden-size 1536 "
     "moe-shared-expert-intermediate-size 3072 moe-token-dispatcher-type alltoall "
     "moe-grouped-gemm true vocab-size 102400"},
    {"deepseek_v2_lite",
     "num-layers 27 hidden-size 2048 ffn-hidden-size 10944 num-attention-heads 16 "
     "multi-latent-attention true kv-lora-rank 512 qk-head-dim 128 qk-pos-emb-head-dim 64 "
     "v-head-dim 128 qk-layernorm true moe-layer-freq ([0]*1+[1]*26) num-experts 64 "
     "moe-router-topk 6 moe-ffn-hidden-size 1408 moe-shared-expert-intermediate-size 2816 "
     "moe-token-dispatcher-type alltoall moe-grouped-gemm true vocab-size 102400"},
    {"deepseek_v3",
     "num-layers 61 hidden-size 7168 ffn-hidden-size 18432 num-attention-heads 128 "
     "multi-latent-attention true q-lora-rank 1536 kv-lora-rank 512 qk-head-dim 128 "
     "qk-pos-emb-head-dim 64 v-head-dim 128 kv-channels 128 qk-layernorm true mtp-num-layers 1 "
     "moe-layer-freq ([0]*3+[1]*58) num-experts 256 moe-router-topk 8 moe-ffn-hidden-size 2048 "
     "moe-shared-expert-intermediate-size 2048 moe-router-num-groups 8 moe-router-group-topk 4 "
     "moe-token-dispatcher-type alltoall moe-grouped-gemm true expert-model-parallel-size 8 "
     "vocab-size 129280"},
    {"llama2_7B",
     "num-layers 32 hidden-size 4096 ffn-hidden-size 11008 num-attention-heads 32 "
     "vocab-size 32000"},
    {"llama2_70B",
     "num-layers 80 hidden-size 8192 ffn-hidden-size 28672 num-attention-heads 64 "
     "group-query-attention true num-query-groups 8 vocab-size 32000"},
    {"llama3_8B", llama3_8b},
    {"llama3_70B", llama3_70b},
    {"llama3.1_8B", llama3_8b},
    {"llama3.1_70B", llama3_70b},
    {"llama3.1_405B",
     "num-layers 126 hidden-size 16384 ffn-hidden-size 53248 num-attention-heads 128 "
     "group-query-attention true num-query-groups 8 vocab-size 128256"},
    {"llama3.2_1B",
     "num-layers 16 hidden-size 2048 ffn-hidden-size 8192 num-attention-heads 32 "
     "group-query-attention true num-query-groups 8 vocab-size 128256 "
     "untie-embeddings-and-output-weights false"},
    {"llama3.3_70B", llama3_70b},
    {"mixtral_8x7B_v0.1",
     "num-layers 32 hidden-size 4096 ffn-hidden-size 14336 num-attention-heads 32 "
     "group-query-attention true num-query-groups 8 num-experts 8 moe-router-topk 2 "
     "moe-token-dispatcher-type alltoall moe-grouped-gemm true vocab-size 32000"},
    {"mixtral_8x22B_v0.1",
     "num-layers 56 hidden-size 6144 ffn-hidden-size 16384 num-attention-heads 48 "
     "group-query-attention true num-query-groups 8 num-experts 8 moe-router-topk 2 "
     "moe-token-dispatcher-type alltoall moe-grouped-gemm true vocab-size 32000"},
    {"qwen2.5_7B",
     "num-layers 28 hidden-size 3584 ffn-hidden-size 18944 num-attention-heads 28 "
     "group-query-attention true num-query-groups 4 add-qkv-bias true vocab-size 152064"},
    {"qwen2.5_72B",
     "num-layers 80 hidden-size 8192 ffn-hidden-size 29568 num-attention-heads 64 "
     "group-query-attention true num-query-groups 8 add-qkv-bias true vocab-size 152064"},
    {"qwen3_8B",
     "num-layers 36 hidden-size 4096 ffn-hidden-size 12288 num-attention-heads 32 "
     "group-query-attention true num-query-groups 8 kv-channels 128 qk-layernorm true "
     "vocab-size 151936"},
    {"qwen3_30B_A3B",
     "num-layers 48 hidden-size 2048 ffn-hidden-size 6144 num-attention-heads 32 "
     "group-query-attention true num-query-groups 4 kv-channels 128 qk-layernorm true "
     "num-experts 128 moe-router-topk 8 moe-ffn-hidden-size 768 "
     "moe-token-dispatcher-type alltoall moe-grouped-gemm true vocab-size 151936"},
    {"qwen3_235B_A22B",
     "num-layers 94 hidden-size 4096 ffn-hidden-size 12288 num-attention-heads 64 "
     "group-query-attention true num-query-groups 4 kv-channels 128 qk-layernorm true "
     "num-experts 128 moe-router-topk 8 moe-ffn-hidden-size 1536 "
     "moe-token-dispatcher-type alltoall moe-grouped-gemm true vocab-size 151936"},
});

/// primus/configs/modules/megatron/trainer_base.yaml and models/megatron/language_model.yaml, where
/// they differ from Megatron-LM's own.
constexpr std::string_view primus_standards =
    "micro-batch-size 2 global-batch-size 128 seq-length 4096 bf16 true sequence-parallel true "
    "data-parallel-sharding-strategy no_shard";

/// Other keys are flags with `_`.
constexpr auto primus_names = std::to_array<LaunchName>(
    {{"add_bias_linear", "disable-bias-linear", "false", "true"},
     {"add_bias_linear", "disable-bias-linear", "true", "false"},
     {"overlap_p2p_comm", "no-overlap-p2p-communication", "false", "true"},
     {"overlap_p2p_comm", "no-overlap-p2p-communication", "true", "false"},
     {"sequence_parallel", "sequence-parallel", "true"},
     {"sequence_parallel", "sequence-parallel", "1", "true"},
     {"sequence_parallel", "sequence-parallel", "false"},
     {"sequence_parallel", "sequence-parallel", "0", "false"},
     {"use_torch_fsdp2", "use-megatron-fsdp", "true", "true"},
     {"use_torch_fsdp2", "data-parallel-sharding-strategy", "true", "optim_grads_params"},
     {"use_torch_fsdp2", "use-megatron-fsdp", "false", "null"},
     {"fp8", "fp8-format"},
     {"fp4", "fp4-format"},
     {"virtual_pipeline_model_parallel_size", "num-virtual-stages-per-pipeline-rank"}});

std::optional<LaunchSetting> module_setting(const LaunchFile& file, std::string_view name) {
  std::optional<LaunchSetting> last;
  for (const LaunchSetting& setting : file.settings)
    if (setting.key == std::string(module) + std::string(name)) last = setting;
  return last;
}

/// The model's name: `llama3.1_70B.yaml` of the file.
std::string model_name(const LaunchSetting& setting) {
  constexpr std::string_view ending = ".yaml";
  std::string name = setting.value;
  if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  return name;
}

/// Flags of `NAME VALUE NAME VALUE`.
void add_flags(std::string_view flags, const Location& place, std::vector<LaunchSetting>& all) {
  while (!flags.empty()) {
    const std::size_t blank = flags.find(' ');
    const std::size_t end = std::min(flags.find(' ', blank + 1), flags.size());
    all.push_back({std::string(flags.substr(0, blank)),
                   std::string(flags.substr(blank + 1, end - blank - 1)), place});
    flags.remove_prefix(std::min(end + 1, flags.size()));
  }
}

/// The model must be stated beside the file.
LaunchUnknown unknown_model(const LaunchSetting& model, const std::vector<std::string>& names) {
  return {model.key, model.value, unknown_name("model of Primus", model_name(model), names),
          model.place};
}

std::vector<LaunchSetting> model_flags(const LaunchSetting& model,
                                       std::vector<LaunchUnknown>& not_understood) {
  std::vector<LaunchSetting> flags;
  add_flags(primus_standards, model.place, flags);
  add_flags(primus_layers, model.place, flags);
  std::vector<std::string> names;
  for (const PrimusModel& each : primus_models) {
    if (each.name == model_name(model)) {
      add_flags(each.flags, model.place, flags);
      return flags;
    }
    names.emplace_back(each.name);
  }
  not_understood.push_back(unknown_model(model, names));
  return flags;
}

/// The overrides alone, without their section, and whatever else the file or its launcher says.
LaunchFile without_section(const LaunchFile& file) {
  LaunchFile inner = file;
  for (LaunchSetting& setting : inner.settings)
    if (setting.key.starts_with(overrides)) setting.key.erase(0, overrides.size());
  for (LaunchUnknown& unknown : inner.not_understood)
    if (unknown.key.starts_with(overrides)) unknown.key.erase(0, overrides.size());
  return inner;
}

std::string flag_of(const std::string& key) {
  std::string flag = key;
  if (flag.find('.') == std::string::npos) std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

LaunchFile primus_flags(const LaunchFile& file) {
  const auto model = module_setting(file, "model");
  if (!model)
    throw InputError(Location{file.path, 1, 1}, std::string(module) + "model", "is needed");
  LaunchFile flags = renamed(without_section(file), primus_names);
  std::vector<LaunchSetting> all = model_flags(*model, flags.not_understood);
  for (LaunchSetting setting : flags.settings) {
    if (setting.key == model->key) continue;
    setting.key = flag_of(setting.key);
    // `null` takes back what the model says.
    std::erase_if(all, [&](const LaunchSetting& each) { return each.key == setting.key; });
    if (setting.value != "null") all.push_back(std::move(setting));
  }
  flags.settings = std::move(all);
  for (LaunchUnknown& unknown : flags.not_understood) unknown.key = flag_of(unknown.key);
  return flags;
}

/// Models of primus/configs/models/torchtitan, as torchtitan names them.
struct PrimusTitanModel {
  std::string_view start;
  std::string_view name;
  std::string_view flavor;
};
constexpr auto primus_titan_models =
    std::to_array<PrimusTitanModel>({{"deepseek_v3_671", "deepseek_v3", "671B"},
                                     {"llama3.1_8B", "llama3", "8B"},
                                     {"llama3.1_70B", "llama3", "70B"},
                                     {"llama3.1_405B", "llama3", "405B"}});

/// torchtitan's keys: the overrides, and what the model's file says.
LaunchFile primus_titan_keys(const LaunchFile& file) {
  const auto model = module_setting(file, "model");
  LaunchFile keys = without_section(file);
  const auto is_of_others = [&](const std::string& key) {
    constexpr std::array<std::string_view, 6> others{"work_group", "user_name",    "exp_name",
                                                     "workspace",  "primus_turbo", "modules."};
    return key.find("sink_level") != std::string::npos ||
           std::any_of(others.begin(), others.end(),
                       [&](std::string_view each) { return key.starts_with(each); });
  };
  std::erase_if(keys.settings, [&](const auto& each) { return is_of_others(each.key); });
  std::erase_if(keys.not_understood, [&](const auto& each) { return is_of_others(each.key); });
  if (!model) return keys;
  const std::string name = model_name(*model);
  std::vector<std::string> names;
  for (const PrimusTitanModel& each : primus_titan_models) {
    names.emplace_back(each.start);
    if (!name.starts_with(each.start)) continue;
    keys.settings.insert(keys.settings.begin(),
                         {{"model.name", std::string(each.name), model->place},
                          {"model.flavor", std::string(each.flavor), model->place}});
    if (name.ends_with("fp8") || name.ends_with("FP8"))
      keys.settings.insert(keys.settings.begin(), {"model.converters", "float8", model->place});
    return keys;
  }
  keys.not_understood.push_back(unknown_model(*model, names));
  return keys;
}

constexpr auto of_primus = std::to_array<std::string_view>(
    {"work-group", "user-name", "exp-name", "workspace", "platform",
     "modules.pre_trainer.framework", "modules.pre_trainer.config", "modules.pre_trainer.name",
     "stderr-sink", "file-sink", "sink-level", "eod-mask", "train-data", "valid-data", "test-data",
     "finetune", "auto-continue", "disable-last", "gradient-accumulation-fusion"});
constexpr auto primus_passed_over = [] {
  std::array<std::string_view, of_primus.size() + megatron_passed_over.size()> all;
  std::copy(of_primus.begin(), of_primus.end(), all.begin());
  std::copy(megatron_passed_over.begin(), megatron_passed_over.end(),
            all.begin() + of_primus.size());
  return all;
}();

bool runs_on(const LaunchFile& file, std::string_view framework) {
  const auto stated = module_setting(file, "framework");
  return stated && stated->value == framework;
}

}  // namespace

const LaunchStack primus_stack{
    .name = "primus",
    .stack = "megatron-core",
    .version = "AMD-AGI/Primus fd1eeabb, on Megatron-LM",
    .keys = megatron_keys,
    .passed_over = primus_passed_over,
    .is_of = [](const LaunchFile& file) { return runs_on(file, "megatron"); },
    .to_training = [](const LaunchValues& values,
                      const LaunchSize& size) { return megatron_stack.to_training(values, size); },
    .as_flags = primus_flags,
};

const LaunchStack primus_titan_stack{
    .name = "primus-torchtitan",
    .stack = "torchtitan",
    .version = "AMD-AGI/Primus fd1eeabb, on torchtitan",
    .keys = torchtitan_stack.keys,
    .passed_over = torchtitan_stack.passed_over,
    .is_of = [](const LaunchFile& file) { return runs_on(file, "torchtitan"); },
    .to_training =
        [](const LaunchValues& values, const LaunchSize& size) {
          return torchtitan_stack.to_training(values, size);
        },
    .as_flags = primus_titan_keys,
};

}  // namespace launch
}  // namespace tofn
