#include "sim/evidence/step_columns.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "sim/cluster/precision_words.hpp"
#include "sim/core/error.hpp"
#include "sim/parallelism/plan_fields.hpp"

namespace tofn {
inline namespace evidence {
namespace {

/// Rows of `visit_plan` whose columns, among `own_columns`, have other names or words. The other
/// rows are columns by their own names.
constexpr auto worded_rows = std::to_array<std::string_view>(
    {"tp", "cp", "pp", "dp", "ep", "chunks", "stage_layers", "sequence_parallel", "recompute",
     "sharded", "shards_in_domain", "precision"});

/// Columns of a table of steps; only people read the last three.
constexpr auto own_columns = std::to_array<std::string_view>({"accelerator",
                                                              "hidden",
                                                              "layers",
                                                              "heads",
                                                              "gpus",
                                                              "data_parallel",
                                                              "global_batch",
                                                              "measured_step_s",
                                                              "stack",
                                                              "model",
                                                              "gpus_per_node",
                                                              "feed_forward",
                                                              "kv_heads",
                                                              "head_dim",
                                                              "vocabulary",
                                                              "sequence_length",
                                                              "tensor_parallel",
                                                              "pipeline_parallel",
                                                              "context_parallel",
                                                              "expert_parallel",
                                                              "sharding",
                                                              "zero_stage",
                                                              "interleaved_stages",
                                                              "micro_batch",
                                                              "precision",
                                                              "recompute",
                                                              "selective_recompute",
                                                              "sequence_parallel",
                                                              "gated_mlp",
                                                              "fused_attention",
                                                              "dropout",
                                                              "loss_bytes",
                                                              "network_gbps_per_gpu",
                                                              "experts",
                                                              "experts_per_token",
                                                              "expert_feed_forward",
                                                              "shared_expert_feed_forward",
                                                              "first_dense_layers",
                                                              "query_rank",
                                                              "key_value_rank",
                                                              "rotary_head_size",
                                                              "value_head_size",
                                                              "further_tokens",
                                                              "routing",
                                                              "measured_peak_gb",
                                                              "peak_stage",
                                                              "peak_reading",
                                                              "outcome",
                                                              "source",
                                                              "measured_tflops_per_gpu",
                                                              "mfu_definition",
                                                              "notes"});

bool is_plan_column(const PlanField& field) {
  return std::ranges::find(worded_rows, field.name) == worded_rows.end();
}

// Reads a cell of a column that is named like a row of `visit_plan`; returns true if it is stated.
bool read_cell(const CsvRow& cells, std::string_view column, bool& out) {
  const auto stated = cells.flag(column);
  out = stated.value_or(out);
  return stated.has_value();
}
bool read_cell(const CsvRow& cells, std::string_view column, int& out) {
  const auto stated = cells.count(column);
  out = stated.value_or(out);
  return stated.has_value();
}
bool read_cell(const CsvRow& cells, std::string_view column, std::optional<int>& out) {
  const auto stated = cells.count(column);
  if (stated) out = stated;
  return stated.has_value();
}
bool read_cell(const CsvRow&, std::string_view, StageLayers&) { return false; }
bool read_cell(const CsvRow& cells, std::string_view column, RecomputeModules& out) {
  RecomputeModules stated;
  try {
    stated = recompute_modules(cells.lower_text(column));
  } catch (const InputError& unknown) {
    cells.fail(column, unknown.what());
  }
  if (!stated.is_empty()) out = stated;
  return !stated.is_empty();
}
template <class E>
bool read_cell(const CsvRow& cells, std::string_view column, E& out) {
  const auto stated = cells.word(column, names_of(out));
  if (stated) out = *stated;
  return stated.has_value();
}

/// Load of the experts: forced to be equal, as in benchmarks, or chosen by the routers.
constexpr std::array<std::pair<std::string_view, double>, 2> routing_words{
    {{"balanced", 1}, {"natural", natural_imbalance}}};

/// Width of the feed-forward part; for a mixture, that of one expert.
int feed_forward(const CsvRow& cells, int experts, int hidden) {
  if (experts > 1)
    if (const auto width = cells.count("expert_feed_forward")) return *width;
  return cells.count("feed_forward").value_or(4 * hidden);
}

/// Layers of a row. A table that names no stacks has GPTs as Megatron-LM ran them in 2022:
/// attention is not fused, dropout is active. Gated models are assumed to be Llamas: rotary, no
/// biases, embeddings not tied; others GPTs: learned positions, biases, tied embeddings.
TransformerLayers read_layers(const CsvRow& cells) {
  const bool is_named = !cells.text("stack").empty();
  const bool is_gated = cells.flag("gated_mlp").value_or(false);
  TransformerLayers layers{.count = cells.needed_count("layers", most_layers),
                           .hidden = cells.needed_count("hidden"),
                           .heads = cells.needed_count("heads"),
                           .gated = is_gated,
                           .biases = !is_gated,
                           .rotary = is_gated,
                           .fused_attention = cells.flag("fused_attention").value_or(is_named),
                           .dropout = cells.flag("dropout").value_or(!is_named)};
  layers.selective_recompute = cells.word("selective_recompute", selective_recompute_names);
  const auto head_size = cells.count("head_dim");
  if (!head_size && layers.hidden % layers.heads != 0)
    cells.fail("heads", fmt::format("{} heads do not divide a hidden size of {}", layers.heads,
                                    layers.hidden));
  layers.head_size = head_size.value_or(layers.hidden / layers.heads);
  layers.key_value_heads = cells.count("kv_heads").value_or(layers.heads);
  if (const auto rank = cells.count("key_value_rank"))
    layers.latent = LatentAttention{
        .query_rank = cells.count("query_rank").value_or(0),
        .key_value_rank = *rank,
        .rotary_head_size = cells.count("rotary_head_size").value_or(0),
        .value_head_size = cells.count("value_head_size").value_or(layers.head_size)};
  layers.experts = cells.count("experts").value_or(1);
  layers.experts_per_token = cells.count("experts_per_token").value_or(1);
  layers.feed_forward = feed_forward(cells, layers.experts, layers.hidden);
  layers.shared_feed_forward = cells.count("shared_expert_feed_forward", 0).value_or(0);
  layers.expert_imbalance = cells.word("routing", routing_words).value_or(1);
  return layers;
}

/// Dense layers before those with experts; absent if there are none.
std::optional<TransformerLayers> first_dense(const CsvRow& cells, TransformerLayers& mixture) {
  const int dense = cells.count("first_dense_layers", 0, most_layers).value_or(0);
  if (dense == 0 || mixture.experts == 1) return {};
  if (dense >= mixture.count)
    cells.fail("first_dense_layers", fmt::format("leaves none of {} layers", mixture.count));
  TransformerLayers layers = mixture;
  mixture.count -= dense;
  layers.count = dense;
  layers.experts = layers.experts_per_token = 1;
  layers.shared_feed_forward = 0;
  layers.feed_forward = cells.needed_count("feed_forward");
  return layers;
}

}  // namespace

std::vector<std::string_view> step_columns() {
  std::vector<std::string_view> columns(own_columns.begin(), own_columns.end());
  visit_plan([&](const PlanField& field, auto) {
    if (is_plan_column(field)) columns.push_back(field.name);
  });
  return columns;
}

std::vector<std::string> read_plan_columns(const CsvRow& cells, Plan& plan) {
  std::vector<std::string> stated;
  visit_plan([&](const PlanField& field, auto member) {
    if (is_plan_column(field) && read_cell(cells, field.name, plan.*member))
      stated.emplace_back(field.name);
  });
  return stated;
}

Model model_of_row(const CsvRow& cells) {
  TransformerLayers layers = read_layers(cells);
  const auto dense = first_dense(cells, layers);
  const int sequence = cells.count("sequence_length").value_or(2048);
  const Vocabulary vocabulary{.size = cells.count("vocabulary").value_or(51200),
                              .hidden = layers.hidden,
                              .positions = layers.rotary ? 0 : sequence,
                              .tied = !layers.gated,
                              .biases = layers.biases,
                              .loss_bytes = cells.positive("loss_bytes")};
  Model model;
  model.name = cells.text("model");
  model.parts = {{.name = "vocabulary", .shape = vocabulary},
                 {.name = "transformer layer", .shape = layers}};
  if (const auto further = cells.count("further_tokens")) add_further_predictions(model, *further);
  // They come first in the model, but their place in a step matters only on pipelines.
  if (dense) model.parts.push_back({.name = "dense transformer layer", .shape = *dense});
  model.sequence_length = sequence;
  model.precision = precision_of(cells).value_or(NamedPrecision{Precision::Fp16}).precision;
  return model;
}

const TransformerLayers& body_of(const Model& model) {
  assert(model.parts.size() > 1 && std::holds_alternative<TransformerLayers>(model.parts[1].shape));
  return std::get<TransformerLayers>(model.parts[1].shape);  // in the order of `model_of_row`
}

}  // namespace evidence
}  // namespace tofn
