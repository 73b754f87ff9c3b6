#include "sim/app/log_arguments.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/app/command.hpp"
#include "sim/app/plan_options.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/core/error.hpp"
#include "sim/core/words.hpp"
#include "sim/formats/text/stated_arguments.hpp"

namespace tofn {
inline namespace app {
namespace {

/// Argument of Megatron-LM, NeMo, GPT-NeoX or DeepSpeed, and the option that means the same.
struct ArgumentOption {
  std::string_view argument;
  const AnyOption* option;
  /// Value of the option for a value of the argument; empty if that states nothing.
  std::string (*word)(const std::string& value);
};

std::string same(const std::string& value) {
  return value == "None" || value == "null" ? "" : value;
}
/// Returns 1 for GPT-NeoX's 0, which means that there is no pipeline.
std::string at_least_one(const std::string& value) { return value == "0" ? "1" : same(value); }
/// Returns 1 for a pipeline that is not interleaved.
std::string chunks(const std::string& value) {
  const std::string stated = same(value);
  return stated.empty() ? "1" : stated;
}
std::string true_or_false(const std::string& value) {
  const std::string word = lower_case(value);
  return word == "true" ? "on" : word == "false" ? "off" : "";
}
std::string sharded_optimizer(const std::string& value) {
  const std::string word = true_or_false(value);
  return word == "on" ? "optimizer" : word == "off" ? "nothing" : "";
}
std::string sharded_parameters(const std::string& value) {
  return true_or_false(value) == "on" ? "parameters" : "";
}
/// Returns the sharding of Megatron-LM's FSDP; its default, `no_shard`, leaves that to others.
std::string sharded_by_strategy(const std::string& value) {
  return value == "optim"                ? "optimizer"
         : value == "optim_grads"        ? "gradients"
         : value == "optim_grads_params" ? "parameters"
                                         : "";
}
/// Returns the sharding of a stage of ZeRO, `3` or `stage=3`.
std::string zero_stage(const std::string& value) {
  constexpr std::string_view name = "stage=";
  const std::string digit = value.starts_with(name) ? value.substr(name.size()) : value;
  for (const auto& [word, sharded] : sharded_names)
    if (digit == std::to_string(static_cast<int>(sharded))) return std::string(word);
  return "";
}
std::string recomputed(const std::string& value) {
  const std::string word = lower_case(value);
  return word == "full" || word == "selective" ? word
         : word == "none" || word == "null"    ? "none"
                                               : "";
}
std::string all_recomputed(const std::string& value) {
  const std::string word = true_or_false(value);
  return word == "on" ? "full" : word == "off" ? "none" : "";
}
std::string eight_bits(const std::string& value) {
  const std::string word = lower_case(value);
  return word == "hybrid" || word == "e4m3" || word == "true" ? "fp8" : "";
}
std::string four_bits(const std::string& value) { return value == "e2m1" ? "fp4" : ""; }

/// Rows of arguments. If a log has several for one option, the first row that turns something on
/// counts, because programs also dump settings that another one replaces.
const std::vector<ArgumentOption>& argument_options() {
  static const std::vector<ArgumentOption> rows{
      {"tensor_model_parallel_size", &plan_option(&Plan::tensor_parallel_size), same},
      {"pipeline_model_parallel_size", &plan_option(&Plan::pipeline_parallel_size), same},
      {"model_parallel_size", &plan_option(&Plan::tensor_parallel_size), same},  // GPT-NeoX
      {"pipe_parallel_size", &plan_option(&Plan::pipeline_parallel_size), at_least_one},
      {"virtual_pipeline_model_parallel_size", &plan_option(&Plan::chunks_per_stage), chunks},
      {"context_parallel_size", &plan_option(&Plan::context_parallel_size), same},
      {"expert_model_parallel_size", &plan_option(&Plan::expert_parallel_size), same},
      {"sequence_parallel", &plan_option(&Plan::sequence_parallel), true_or_false},
      {"zero_optimization_stage", &plan_option(&Plan::sharded), zero_stage},  // DeepSpeed
      {"zero_config", &plan_option(&Plan::sharded), zero_stage},
      {"\"stage\"", &plan_option(&Plan::sharded), zero_stage},  // of its JSON
      {"zero_stage", &plan_option(&Plan::sharded), zero_stage},
      {"data_parallel_sharding_strategy", &plan_option(&Plan::sharded), sharded_by_strategy},
      {"use_torch_fsdp2", &plan_option(&Plan::sharded), sharded_parameters},
      {"use_distributed_optimizer", &plan_option(&Plan::sharded), sharded_optimizer},
      {"recompute_granularity", &plan_option(&Plan::recompute), recomputed},
      {"checkpoint_activations", &plan_option(&Plan::recompute), all_recomputed},  // until 2022
      {"overlap_grad_reduce", &plan_option(&Plan::data_overlap), true_or_false},
      {"overlap_param_gather", &plan_option(&Plan::parameter_overlap), true_or_false},
      {"tp_comm_overlap", &plan_option(&Plan::tensor_overlap), true_or_false},
      {"fp4", &plan_option(&Plan::precision), four_bits},  // of --fp4-format
      {"fp4_format", &plan_option(&Plan::precision), four_bits},
      {"fp8", &plan_option(&Plan::precision), eight_bits},  // of --fp8-format
      {"fp8_format", &plan_option(&Plan::precision), eight_bits},
      {"micro_batch_size", &option::micro_batch, same},
      {"train_micro_batch_size_per_gpu", &option::micro_batch, same},  // DeepSpeed
      {"seq_length", &option::sequence_length, same}};
  return rows;
}

/// Sentence of a log, and the value of an option that it states.
struct PhraseOption {
  std::string_view phrase;
  const AnyOption* option;
  std::string_view word;
};
const std::vector<PhraseOption>& phrase_options() {
  static const std::vector<PhraseOption> rows{
      // torchtitan: components/quantization/float8.py, distributed/activation_checkpoint.py.
      {"Float8 training active", &plan_option(&Plan::precision), "fp8"},
      {"Float8 tensorwise scaled training active", &plan_option(&Plan::precision), "fp8"},
      {"Float8 rowwise scaled training active", &plan_option(&Plan::precision), "fp8"},
      {"Applied full activation checkpointing", &plan_option(&Plan::recompute), "full"},
      {"Applied selective activation checkpointing", &plan_option(&Plan::recompute), "selective"}};
  return rows;
}

/// A value of an option by the log, and the text there.
struct LoggedOption {
  const AnyOption* option;
  std::string word;
  std::string value;
  Location place;
  bool is_off() const { return word == "off" || word == "none" || word == "nothing"; }
};

/// Returns what a log states, in the order of the rows, with what is off last.
std::vector<LoggedOption> options_of_log(const std::string& text, const std::string& file) {
  std::vector<std::string_view> names, phrases;
  for (const ArgumentOption& each : argument_options()) names.push_back(each.argument);
  for (const PhraseOption& each : phrase_options()) phrases.push_back(each.phrase);
  const std::vector<StatedArgument> arguments = stated_arguments(text, file, names);
  std::vector<LoggedOption> found;
  for (const ArgumentOption& row : argument_options())
    for (const StatedArgument& stated : arguments)
      if (stated.name == row.argument)
        if (const std::string word = row.word(stated.value); !word.empty())
          found.push_back({row.option, word, stated.value, stated.place});
  const std::vector<StatedArgument> said = stated_phrases(text, file, phrases);
  for (const PhraseOption& row : phrase_options())
    for (const StatedArgument& stated : said)
      if (stated.name == row.phrase)
        found.push_back({row.option, std::string(row.word), stated.value, stated.place});
  std::stable_partition(found.begin(), found.end(),
                        [](const LoggedOption& each) { return !each.is_off(); });
  return found;
}

}  // namespace

options::variables_map with_log_arguments(options::variables_map values, const std::string& text,
                                          const std::string& file) {
  std::set<const AnyOption*> known;
  std::vector<std::string> added;
  for (const LoggedOption& logged : options_of_log(text, file)) {
    if (!known.insert(logged.option).second) continue;
    const auto given = logged.option->text(values);
    if (given && *given != logged.word)
      throw InputError(logged.place, logged.option->flag(),
                       fmt::format("says {}, but the log says {}", *given, logged.value));
    if (given) continue;
    values = with_option(std::move(values), *logged.option, logged.word);
    added.push_back(fmt::format("{} {}", logged.option->name, logged.word));
  }
  if (!added.empty()) say(fmt::format("{}: states {}", file, fmt::join(added, ", ")));
  return values;
}

}  // namespace app
}  // namespace tofn
