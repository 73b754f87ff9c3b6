// Arguments that frameworks dump at start: `tensor_model_parallel_size ..... 8` (Megatron-LM),
// `tensor_model_parallel_size: 8` (NeMo's YAML), `world_size=16`.
#include <array>

#include "sim/core/quantity_text.hpp"
#include "sim/formats/step_logs/step_format.hpp"

namespace tofn {
inline namespace formats {
namespace {

using Sizes = LoggedSizes;
using Model = LoggedModel;

template <class Part, class T>
struct SizeKey {
  std::string_view key;
  std::optional<T> Part::*size;
};
constexpr std::array count_keys{
    SizeKey<Sizes, int>{"world_size", &Sizes::accelerators},
    SizeKey<Sizes, int>{"world size", &Sizes::accelerators},
    SizeKey<Sizes, int>{"Starting with", &Sizes::accelerators},    // Lightning: 16 processes
    SizeKey<Sizes, int>{"Num_devices", &Sizes::accelerators},      // MaxText
    SizeKey<Sizes, int>{"global_num_gpus", &Sizes::accelerators},  // GPT-NeoX
    SizeKey<Sizes, int>{"num_nodes", &Sizes::nodes},
    SizeKey<Sizes, int>{"devices", &Sizes::per_node},
    SizeKey<Sizes, int>{"tensor_model_parallel_size", &Sizes::tensor_parallel_size},
    SizeKey<Sizes, int>{"tensor-model-parallel size", &Sizes::tensor_parallel_size},
    SizeKey<Sizes, int>{"pipeline_model_parallel_size", &Sizes::pipeline_parallel_size},
    SizeKey<Sizes, int>{"pipeline-model-parallel size", &Sizes::pipeline_parallel_size},
    SizeKey<Sizes, int>{"model_parallel_size", &Sizes::tensor_parallel_size},  // GPT-NeoX
    SizeKey<Sizes, int>{"pipe_parallel_size", &Sizes::pipeline_parallel_size},
    SizeKey<Sizes, int>{"context_parallel_size", &Sizes::context_parallel_size},
    SizeKey<Sizes, int>{"tp", &Sizes::tensor_parallel_size},  // torchtitan, nanotron
    SizeKey<Sizes, int>{"pp", &Sizes::pipeline_parallel_size},
    SizeKey<Sizes, int>{"cp", &Sizes::context_parallel_size},
    SizeKey<Sizes, int>{"gradient_accumulation_steps", &Sizes::gradient_accumulation},
    SizeKey<Sizes, int>{"gradient accumulation steps", &Sizes::gradient_accumulation},
    SizeKey<Sizes, int>{"Gradient Accumulation steps", &Sizes::gradient_accumulation}};
/// Dimensions of torchtitan's mesh that are members of a plan; the others are data parallel.
constexpr std::array mesh_keys{SizeKey<Sizes, int>{"'tp'", &Sizes::tensor_parallel_size},
                               SizeKey<Sizes, int>{"'pp'", &Sizes::pipeline_parallel_size},
                               SizeKey<Sizes, int>{"'cp'", &Sizes::context_parallel_size}};
constexpr std::array figure_keys{
    SizeKey<Sizes, double>{"global_batch_size", &Sizes::global_batch},
    SizeKey<Sizes, double>{"global batch size", &Sizes::global_batch},
    SizeKey<Sizes, double>{"global_batch_size_to_train_on", &Sizes::global_batch},  // MaxText
    SizeKey<Sizes, double>{"train_batch_size", &Sizes::global_batch},
    SizeKey<Sizes, double>{"distributed & accumulation)", &Sizes::global_batch},  // HF Trainer
    SizeKey<Sizes, double>{"local batch size", &Sizes::local_batch},
    SizeKey<Sizes, double>{"micro_batch_size", &Sizes::micro_batch},
    SizeKey<Sizes, double>{"train_micro_batch_size_per_gpu", &Sizes::micro_batch},
    SizeKey<Sizes, double>{"batch size per device", &Sizes::micro_batch},
    SizeKey<Sizes, double>{"seq_length", &Sizes::sequence_length},
    SizeKey<Sizes, double>{"encoder_seq_length", &Sizes::sequence_length},
    SizeKey<Sizes, double>{"sequence_length", &Sizes::sequence_length},
    SizeKey<Sizes, double>{"sequence length", &Sizes::sequence_length},
    SizeKey<Sizes, double>{"max_target_length", &Sizes::sequence_length},     // MaxText
    SizeKey<Sizes, double>{"tokens per iteration will be", &Sizes::tokens}};  // nanoGPT
/// Names of a run's length in steps: Megatron-LM's, NeMo's (its command line and YAML),
/// torchtitan's, MaxText's, nanoGPT's and Hugging Face's.
constexpr std::array<std::string_view, 8> length_keys{
    "train_iters",    "max_steps", "training.steps", "total steps",
    "base_num_steps", "max_iters", "train_steps",    "Total optimization steps"};
constexpr std::array model_keys{SizeKey<Model, int>{"num_layers", &Model::layers},
                                SizeKey<Model, int>{"hidden_size", &Model::hidden_size},
                                SizeKey<Model, int>{"num_attention_heads", &Model::heads}};

/// True at the comma of a number such as `262,144`.
bool is_thousands_comma(std::string_view text, std::size_t at) {
  constexpr std::size_t group = 3;
  return text[at] == ',' && at + group < text.size() &&
         is_whole_number(text.substr(at + 1, group)) &&
         (at + group + 1 == text.size() || !is_of_a_word(text[at + group + 1]));
}

/// Whole number after the key in the line.
std::optional<int> count_after(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos || (at > 0 && is_of_a_word(text[at - 1]))) return {};
  const std::string_view rest = text.substr(at + key.size());
  const std::size_t start = rest.find_first_not_of(" .:=\t'\"");
  if (start == 0 || start == std::string_view::npos) return {};
  std::string digits;
  for (std::size_t i = start; i < rest.size(); ++i) {
    if (!is_of_a_word(rest[i]) && !is_thousands_comma(rest, i)) break;
    if (rest[i] != ',') digits += rest[i];
  }
  return parse_count(digits);
}

/// Removes the first item of a comma-separated list and returns it.
std::string_view take_item(std::string_view& list) {
  const std::size_t comma = list.find(',');
  const std::string_view item = trimmed(list.substr(0, comma));
  list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
  return item;
}

/// Reads `device mesh with ['dp_shard', 'tp'], [8, 4]` (torchtitan): all accelerators, by
/// dimensions larger than 1.
void take_mesh(std::string_view text, LoggedSizes& sizes) {
  constexpr std::string_view words = "device mesh with [";
  const std::size_t at = text.find(words);
  if (at == std::string_view::npos || sizes.accelerators) return;
  std::string_view names = text.substr(at + words.size());
  const std::size_t between = names.find("], [");
  if (between == std::string_view::npos) return;
  std::string_view counts = names.substr(between + std::string_view("], [").size());
  names = names.substr(0, between);
  counts = counts.substr(0, counts.find(']'));
  constexpr double most = 1e7;
  double accelerators = 1;
  LoggedSizes mesh;
  for (const auto& [name, size] : mesh_keys) mesh.*size = 1;
  while (!names.empty() || !counts.empty()) {
    const std::string_view dimension = take_item(names);
    const auto count = parse_count(take_item(counts));
    if (dimension.empty() || !count || (accelerators *= *count) > most) return;
    for (const auto& [name, size] : mesh_keys)
      if (dimension == name) mesh.*size = count;
  }
  sizes.accelerators = static_cast<int>(accelerators);
  for (const auto& [name, size] : mesh_keys)
    if (!(sizes.*size)) sizes.*size = mesh.*size;
}

}  // namespace

void take_sizes(const LogLine& line, LoggedSizes& sizes) {
  for (const auto& [key, size] : count_keys)
    if (!(sizes.*size)) sizes.*size = count_after(line.text, key);
  for (const auto& [key, size] : figure_keys)
    if (!(sizes.*size)) sizes.*size = count_after(line.text, key);
  for (const std::string_view key : length_keys) {
    const auto count = sizes.iterations ? std::nullopt : count_after(line.text, key);
    if (!count || *count == 0) continue;
    sizes.iterations = count;
    sizes.iterations_key = key;
  }
  for (const auto& [key, size] : model_keys)
    if (!(sizes.model.*size)) sizes.model.*size = count_after(line.text, key);
  take_mesh(line.text, sizes);
}

}  // namespace formats
}  // namespace tofn
