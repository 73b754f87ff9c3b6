#include "sim/formats/launchers/pipeline_layout.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"
#include "sim/formats/launchers/launch_stack.hpp"
#include "sim/formats/launchers/megatron_model.hpp"
#include "sim/model/layer_work.hpp"
#include "sim/model/stages.hpp"

// Based on megatron/core/transformer/pipeline_parallel_layer_layout.py and validate_args in
// megatron/training/arguments.py from memory: neither was available to be read again.

namespace tofn {
inline namespace formats {
namespace {

constexpr std::string_view layout_key = "pipeline-model-parallel-layout";
constexpr std::string_view chunks_key = "num-virtual-stages-per-pipeline-rank";
constexpr std::string_view first_key = "decoder-first-pipeline-num-layers";
constexpr std::string_view last_key = "decoder-last-pipeline-num-layers";
constexpr std::string_view embedding_key = "account-for-embedding-in-pipeline-split";
constexpr std::string_view loss_key = "account-for-loss-in-pipeline-split";
constexpr std::string_view further_key = "mtp-num-layers";
constexpr std::string_view layers_key = "num-layers-per-virtual-pipeline-stage";
constexpr std::size_t longest_layout = 100'000;
constexpr long long most_chunks = 10'000;

/// Number of times that `*N` at the start of the text repeats what precedes it; 1 if there is none.
std::size_t repeats_at(const LaunchValues& values, std::string_view& text) {
  if (!text.starts_with('*')) return 1;
  const std::size_t end = std::min(text.find_first_not_of("0123456789", 1), text.size());
  long long count = 0;
  if (!parse_integer(std::string(text.substr(1, end - 1)), count) || count < 1 ||
      count > static_cast<long long>(longest_layout))
    values.fail(layout_key, fmt::format("a '*' needs a count of 1 to {}", longest_layout));
  text.remove_prefix(end);
  return static_cast<std::size_t>(count);
}

/// Returns `Et*2|(tt|)*2L` as `Ett|tt|tt|L`.
std::string unrolled(const LaunchValues& values, std::string_view text) {
  std::string all;
  while (!text.empty()) {
    std::string_view group = text.substr(0, 1);
    std::size_t taken = 1;
    if (group == "(") {
      const std::size_t end = text.find(')');
      if (end == text.npos) values.fail(layout_key, "a '(' is not closed");
      group = text.substr(1, end - 1);
      taken = end + 1;
    }
    text.remove_prefix(taken);
    const std::string once = taken == 1 ? std::string(group) : unrolled(values, group);
    const std::size_t repeats = repeats_at(values, text);
    if (all.size() + once.size() * repeats > longest_layout)
      values.fail(layout_key, "has too many layers");
    for (std::size_t i = 0; i < repeats; ++i) all += once;
  }
  return all;
}

/// Fails unless the layout has as many of this letter as the flag `key` states.
void check_count(const LaunchValues& values, const std::string& text, char letter,
                 std::string_view key) {
  const auto held = std::ranges::count(text, letter);
  if (held != values.whole(key))
    values.fail(layout_key,
                fmt::format("has {} x {}, and {} is {}", held, letter, key, values.whole(key)));
}

StageLayers layout_of(const LaunchValues& values) {
  std::string text = values.text(layout_key);
  std::erase_if(text, [](char each) { return each == ',' || each == ' '; });
  text = unrolled(values, text);
  if (text.find_last_of('E') != 0 || text.find('L') + 1 != text.size())
    values.fail(layout_key, "must begin with its one E and end with its one L");
  if (values.whole("num-layers") > 0) {
    check_count(values, text, 't', "num-layers");
    check_count(values, text, 'm', further_key);
  }
  if (text.find('m') < text.rfind('t'))
    values.fail(layout_key, "has a layer of further tokens, m, before a layer t");
  StageLayers layers{{0}};
  for (const char each : text) {
    if (each == '|')
      layers.counts.push_back(0);
    else if (each == 't' || each == 'm')
      ++layers.counts.back();
    else if (each != 'E' && each != 'L')
      values.fail(
          layout_key,
          fmt::format("'{}' is not expressed: E the embedding, t a layer, m one that predicts "
                      "further tokens, L the loss, | between stages",
                      each));
  }
  return layers;
}

void read_layout(const LaunchValues& values, Plan& plan) {
  const StageLayers layers = layout_of(values);
  const auto stages = static_cast<long long>(layers.counts.size());
  plan.chunks_per_stage = quotient_of(values, layout_key, stages, plan.pipeline_parallel_size);
  if (!is_even(layers)) plan.stage_layers = layers;
}

/// Number of a stage's layers in each of its chunks.
int of_each_chunk(const LaunchValues& values, std::string_view key, long long layers,
                  const Plan& plan) {
  if (layers == 0) return 0;
  return quotient_of(values, key, layers, plan.chunks_per_stage);
}

/// Reads a split that states the layers of the first or the last stage; the other stages share the
/// rest.
void read_ends(const LaunchValues& values, Plan& plan) {
  const int stages = plan.pipeline_parallel_size;
  const long long first = values.whole(first_key);
  const long long last = values.whole(last_key);
  const std::string_view key = first > 0 ? first_key : last_key;
  const int others = stages - (first > 0 ? 1 : 0) - (last > 0 ? 1 : 0);
  const long long left = values.whole("num-layers") - first - last;
  if (others < 1 ? left != 0 : left < 1)
    values.fail(key, fmt::format("the first and the last of {} stages hold {} layers, and "
                                 "num-layers is {}",
                                 stages, first + last, values.whole("num-layers")));
  const int middle =
      others < 1 ? 0 : quotient_of(values, key, left, 1LL * others * plan.chunks_per_stage);
  StageLayers layers;
  for (int chunk = 0; chunk < plan.chunks_per_stage; ++chunk)
    for (int stage = 0; stage < stages; ++stage)
      layers.counts.push_back(
          stage == 0 && first > 0           ? of_each_chunk(values, first_key, first, plan)
          : stage + 1 == stages && last > 0 ? of_each_chunk(values, last_key, last, plan)
                                            : middle);
  layers.counts.back() += static_cast<int>(values.whole(further_key));
  if (!is_even(layers)) plan.stage_layers = layers;
}

/// Number of layers, with the embedding and the loss counted as one each if the file says so.
long long layers_with_ends(const LaunchValues& values) {
  return values.whole("num-layers") + (values.truth(embedding_key) ? 1 : 0) +
         (values.truth(loss_key) ? 1 : 0);
}

void read_equal_chunks(const LaunchValues& values, Plan& plan) {
  const long long layers = layers_with_ends(values);
  const long long chunks = 1LL * plan.pipeline_parallel_size * plan.chunks_per_stage;
  if (layers % chunks != 0)
    values.fail(
        plan.chunks_per_stage > 1 ? chunks_key : "pipeline-model-parallel-size",
        fmt::format("{} layers are no multiple of {} stages x {} chunks: state --{}", layers,
                    plan.pipeline_parallel_size, plan.chunks_per_stage, layout_key));
  StageLayers split{
      std::vector<int>(static_cast<std::size_t>(chunks), static_cast<int>(layers / chunks))};
  if (values.truth(embedding_key)) --split.counts.front();
  if (values.truth(loss_key)) --split.counts.back();
  split.counts.back() += static_cast<int>(values.whole(further_key));
  if (!is_even(split)) plan.stage_layers = split;
}

/// Fails if several flags state the split, because Megatron-LM accepts only one.
void check_one_split(const LaunchValues& values) {
  const auto is_set = [&](std::string_view key) {
    return key == embedding_key || key == loss_key ? values.truth(key) : values.whole(key) > 0;
  };
  const auto refuse_beside = [&](std::string_view stated,
                                 std::span<const std::string_view> others) {
    for (const std::string_view key : others)
      if (is_set(key)) values.fail(key, fmt::format("is not taken beside --{}", stated));
  };
  constexpr std::array ends{embedding_key, loss_key, first_key, last_key, chunks_key, layers_key};
  if (!values.text(layout_key).empty()) refuse_beside(layout_key, ends);
  for (const std::string_view stated : {first_key, last_key})
    if (is_set(stated)) refuse_beside(stated, std::span(ends).first(2));
  if (is_set(chunks_key)) refuse_beside(chunks_key, std::span(ends).last(1));
}

}  // namespace

std::string layout_text(const StageLayers& layers, int further) {
  std::string text = "E";
  const auto add = [&](char letter, int count) {
    if (count > 0) text += letter;
    if (count > 1) text += fmt::format("*{}", count);
  };
  int left = std::accumulate(layers.counts.begin(), layers.counts.end(), -further);
  for (std::size_t i = 0; i < layers.counts.size(); ++i) {
    if (i > 0) text += '|';
    const int typical = std::min(layers.counts[i], left);
    add('t', typical);
    add('m', layers.counts[i] - typical);
    left -= typical;
  }
  return text + 'L';
}

void read_pipeline_split(const LaunchValues& values, Plan& plan) {
  for (const std::string_view key : {chunks_key, layers_key, first_key, last_key, further_key})
    if (values.whole(key) < 0)
      values.fail(key, fmt::format("must not be negative, got {}", values.whole(key)));
  check_one_split(values);
  if (!values.text(layout_key).empty()) return read_layout(values, plan);
  if (const long long chunks = values.whole(chunks_key); chunks > most_chunks)
    values.fail(chunks_key, fmt::format("must be at most {}, got {}", most_chunks, chunks));
  else if (chunks > 0)
    plan.chunks_per_stage = static_cast<int>(chunks);
  if (const long long layers = values.whole(layers_key); layers > 0)
    plan.chunks_per_stage = quotient_of(values, layers_key, layers_with_ends(values),
                                        layers * plan.pipeline_parallel_size);
  if (values.whole("num-layers") == 0) return;
  if (values.whole(first_key) > 0 || values.whole(last_key) > 0) return read_ends(values, plan);
  read_equal_chunks(values, plan);
}

void write_pipeline_split(const std::optional<Model>& model, const Plan& plan,
                          LaunchValues& values) {
  if (model && plan.pipeline_parallel_size > 1) {
    const StageLayers layers = stage_layers(layer_work(*model, plan), plan);
    const int further = further_layers(*model);
    if (!is_even(layers) || further > 0) {
      values.set(layout_key, layout_text(layers, further));
      return;
    }
  }
  if (plan.chunks_per_stage > 1) values.set(chunks_key, plan.chunks_per_stage);
}

}  // namespace formats
}  // namespace tofn
