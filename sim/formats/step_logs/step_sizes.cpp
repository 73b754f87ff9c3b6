#include "sim/formats/step_logs/step_sizes.hpp"

#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"
#include "sim/formats/step_logs/step_line.hpp"

namespace tofn {
inline namespace formats {
namespace {

/// Names of a run's length in steps: Megatron-LM's, NeMo's (its command line and YAML),
/// torchtitan's, MaxText's, nanoGPT's and Hugging Face's.
constexpr std::string_view length_names =
    "train_iters  max_steps  training.steps  total steps  base_num_steps  Config param steps  "
    "max_iters  train_steps  "
    "Total optimization steps";
constexpr std::array<std::pair<std::string_view, std::optional<int> LoggedModel::*>, 3> model_names{
    {{"num_layers", &LoggedModel::layers},
     {"hidden_size", &LoggedModel::hidden_size},
     {"num_attention_heads", &LoggedModel::heads}}};
/// Dimensions of torchtitan's mesh that are members of a plan; the others are data parallel.
constexpr std::array<std::pair<std::string_view, std::optional<int> LoggedSizes::*>, 3> mesh_names{
    {{"'tp'", &LoggedSizes::tensor_parallel_size},
     {"'pp'", &LoggedSizes::pipeline_parallel_size},
     {"'cp'", &LoggedSizes::context_parallel_size}}};
constexpr std::string_view between_names = "  ";

/// Whole number after the name in the line.
std::optional<int> count_after(std::string_view text, std::string_view name) {
  const std::size_t at = text.find(name);
  if (at == std::string_view::npos || (at > 0 && is_of_a_word(text[at - 1]))) return {};
  const std::string_view rest = text.substr(at + name.size());
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
  for (const auto& [name, size] : mesh_names) mesh.*size = 1;
  while (!names.empty() || !counts.empty()) {
    const std::string_view dimension = take_item(names);
    const auto count = parse_count(take_item(counts));
    if (dimension.empty() || !count || (accelerators *= *count) > most) return;
    for (const auto& [name, size] : mesh_names)
      if (dimension == name) mesh.*size = count;
  }
  mesh.accelerators = static_cast<int>(accelerators);
  fill_sizes(sizes, mesh);
}

std::string figure(int value) { return fmt::format("{}", value); }
std::string figure(double value) { return fmt::format("{:g}", value); }

template <class T>
void fill(std::optional<T>& size, const std::optional<T>& other) {
  if (!size) size = other;
}

}  // namespace

void take_sizes(const LogLine& line, LoggedSizes& sizes) {
  each_size([&](const auto& size) {
    each_part(size.dumped, between_names, [&](std::string_view name) {
      if (!(sizes.*size.logged)) sizes.*size.logged = count_after(line.text, name);
    });
  });
  each_part(length_names, between_names, [&](std::string_view name) {
    const auto count = sizes.iterations ? std::nullopt : count_after(line.text, name);
    if (!count || *count == 0) return;
    sizes.iterations = count;
    sizes.length_from = name;
  });
  for (const auto& [name, size] : model_names)
    if (!(sizes.model.*size)) sizes.model.*size = count_after(line.text, name);
  take_mesh(line.text, sizes);
}

void fill_sizes(LoggedSizes& sizes, const LoggedSizes& others) {
  each_size([&](const auto& size) { fill(sizes.*size.logged, others.*size.logged); });
  if (!sizes.iterations) sizes.length_from = others.length_from;
  fill(sizes.iterations, others.iterations);
  for (const auto& [name, size] : model_names) fill(sizes.model.*size, others.model.*size);
}

bool differ(const LoggedSizes& a, const LoggedSizes& b) {
  bool do_differ = false;
  each_size([&](const auto& size) {
    do_differ |= size.hint != nullptr && a.*size.logged && b.*size.logged &&
                 a.*size.logged != b.*size.logged;
  });
  return do_differ;
}

void apply_hints(const LogText& log, const LogLine& line, const StepHints& hints,
                 LoggedSizes& sizes) {
  each_size([&](const auto& size) {
    if (size.hint == nullptr) return;
    const auto& logged = sizes.*size.logged;
    const auto& hint = hints.*size.hint;
    if (logged && hint && *logged != *hint)
      throw InputError(log.location(line), size.option,
                       fmt::format("says {}, but the log says {}", figure(*hint), figure(*logged)));
    fill(sizes.*size.logged, hint);
  });
}

}  // namespace formats
}  // namespace tofn
