#include "sim/evidence/step_rows.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "sim/cluster/precision_words.hpp"
#include "sim/cluster/unanswered_row.hpp"
#include "sim/core/name_table.hpp"
#include "sim/evidence/case_cluster.hpp"
#include "sim/evidence/step_columns.hpp"

namespace tofn {
inline namespace evidence {
namespace {

constexpr std::array<std::pair<std::string_view, Recompute>, 9> recompute_words{
    {{"none", Recompute::None},
     {"selective", Recompute::Selective},
     {"full", Recompute::Full},
     {"no", Recompute::None},
     {"yes", Recompute::Full},
     {"false", Recompute::None},
     {"true", Recompute::Full},
     {"0", Recompute::None},
     {"1", Recompute::Full}}};

constexpr std::array<std::pair<std::string_view, Sharded>, 6> sharding_words{
    {{"none", Sharded::Nothing},
     {"zero1", Sharded::Optimizer},
     {"zero2", Sharded::Gradients},
     {"zero3", Sharded::Parameters},
     {"fsdp", Sharded::Parameters},
     {"hsdp", Sharded::Parameters}}};

/// Load of the experts: forced to be equal, as in benchmarks, or chosen by the routers.
constexpr std::array<std::pair<std::string_view, double>, 2> routing_words{
    {{"balanced", 1}, {"natural", natural_imbalance}}};

/// Stage that `measured_peak_gb` is of.
constexpr std::array<std::pair<std::string_view, bool>, 2> peak_stages{
    {{"fullest", false}, {"last", true}}};

constexpr int most_layers = 100'000;

template <class T, std::size_t N>
T word_or(const CsvRow& cells, std::string_view column,
          const std::array<std::pair<std::string_view, T>, N>& words, T usual) {
  return cells.word(column, words).value_or(usual);
}

/// Data parallelism is what tensor, pipeline and context parallelism leave; a row may omit either
/// `gpus` or `data_parallel`.
int data_parallel_size(const CsvRow& cells, int model_parallel) {
  const auto stated = cells.count("data_parallel");
  const auto gpus = stated ? cells.count("gpus") : std::optional(cells.needed_count("gpus"));
  if (!gpus && 1.0 * *stated * model_parallel > CsvRow::most_count)
    cells.fail("data_parallel", "makes too many GPUs");
  if (!gpus) return *stated;
  if (*gpus % model_parallel != 0)
    cells.fail("gpus", fmt::format("{} is no multiple of tensor_parallel x pipeline_parallel x "
                                   "context_parallel = {}",
                                   *gpus, model_parallel));
  const int rest = *gpus / model_parallel;
  if (stated && *stated != rest)
    cells.fail("data_parallel",
               fmt::format("tensor_parallel x pipeline_parallel x context_parallel = {} "
                           "of {} GPUs leave {}, not {}",
                           model_parallel, *gpus, rest, *stated));
  return rest;
}

/// Micro-batches of a step.
int accumulation(const CsvRow& cells, const Plan& plan) {
  const int batch = cells.needed_count("global_batch");
  const double passes = batch / (plan.micro_batch * plan.data_parallel_size);
  if (passes < 1 || passes != std::floor(passes))
    cells.fail("global_batch", fmt::format("{} is no multiple of micro_batch x data_parallel = "
                                           "{} x {}",
                                           batch, plan.micro_batch, plan.data_parallel_size));
  constexpr double most = 1e7;  // limits the memory that a typing error can take
  if (passes * plan.pipeline_parallel_size * plan.chunks_per_stage > most)
    cells.fail("global_batch", fmt::format("makes more than {:.0f} passes of stages", most));
  return static_cast<int>(passes);
}

/// Sharding from `sharding` (words) or `zero_stage` (numbers).
Sharded sharding(const CsvRow& cells) {
  const int stage = cells.count("zero_stage", 0, 3).value_or(0);
  return word_or(cells, "sharding", sharding_words,
                 sharded_names[static_cast<std::size_t>(stage)].second);
}

Plan read_plan(const CsvRow& cells) {
  Plan plan;
  plan.tensor_parallel_size = cells.count("tensor_parallel").value_or(1);
  plan.pipeline_parallel_size = cells.count("pipeline_parallel").value_or(1);
  plan.context_parallel_size = cells.count("context_parallel").value_or(1);
  plan.expert_parallel_size = cells.count("expert_parallel").value_or(1);
  const double product =
      1.0 * plan.tensor_parallel_size * plan.pipeline_parallel_size * plan.context_parallel_size;
  if (product > 1e8)
    cells.fail("tensor_parallel", "times pipeline_ and context_parallel is above 100000000");
  plan.data_parallel_size = data_parallel_size(cells, static_cast<int>(product));
  plan.chunks_per_stage = cells.count("interleaved_stages", 1, most_layers).value_or(1);
  if (plan.chunks_per_stage > 1 && plan.pipeline_parallel_size == 1)
    cells.fail("interleaved_stages", "interleaving needs pipeline_parallel above 1");
  plan.micro_batch = cells.count("micro_batch").value_or(1);
  plan.gradient_accumulation = accumulation(cells, plan);
  plan.recompute = word_or(cells, "recompute", recompute_words, Recompute::None);
  // Megatron-LM switches it off if there is nothing to split.
  plan.sequence_parallel =
      cells.flag("sequence_parallel").value_or(false) && plan.tensor_parallel_size > 1;
  plan.sharded = sharding(cells);
  plan.shards_in_domain = cells.lower_text("sharding") == "hsdp" && !cells.count("shard_ranks");
  // Megatron-LM and DeepSpeed reduce after the passes by default; ZeRO 3 prefetches.
  plan.data_overlap = plan.sharded == Sharded::Parameters;
  return plan;
}

/// Width of the feed-forward part; for a mixture, that of one expert.
int feed_forward(const CsvRow& cells, int experts, int hidden) {
  if (experts > 1)
    if (const auto width = cells.count("expert_feed_forward")) return *width;
  return cells.count("feed_forward").value_or(4 * hidden);
}

/// Layers of a row. A table that names no stacks has GPTs as Megatron-LM ran them in 2022:
/// attention is not fused, dropout is active. Gated models are assumed to be Llamas: rotary, no
/// biases, embeddings not tied; others GPTs: learnt positions, biases, tied embeddings.
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
  layers.expert_imbalance = word_or(cells, "routing", routing_words, 1.0);
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

Model read_model(const CsvRow& cells) {
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

/// The cluster of a row, with the network that the row states.
Cluster read_cluster(const CsvRow& cells, const Library& library) {
  Cluster cluster = case_cluster(cells, library);
  const auto stated = cells.positive("network_gbps_per_gpu");
  if (!stated || !cluster.network) return cluster;
  const double nics_per_gpu =
      1.0 * cluster.network->nics_per_node.value / cluster.accelerators_per_node.value;
  cluster.network->nic_bandwidth = {BytesPerSecond{*stated * 1e9 / 8 / nics_per_gpu},
                                    "table of steps"};
  return cluster;
}

template <class Figure>
auto of_plan(Figure figure) {
  return of_its(&StepCaseRow::step, &StepCase::plan, figure);
}
template <class Figure>
auto of_model(Figure figure) {
  return of_its(&StepCaseRow::step, &StepCase::model, figure);
}
auto of_layers(int TransformerLayers::*figure) {
  return [=](const StepCaseRow& row) { return body_of(row).*figure; };
}

StepCaseRow read_row(const CsvTable& table, std::size_t row, const Library& library) {
  const CsvRow cells(table, row);
  StepCase step{
      .model = read_model(cells), .plan = read_plan(cells), .cluster = {}, .measured = {}};
  std::vector<std::string> stated = read_plan_columns(cells, step.plan);
  step.cluster = read_cluster(cells, library);
  if (const auto seconds = cells.positive("measured_step_s")) step.measured = Seconds{*seconds};
  const auto peak = cells.positive("measured_peak_gb");
  return {.stack = cells.text("stack"),
          .source = cells.text("source"),
          .accelerator = cells.text("accelerator"),
          .location = cells.location(),
          .step = std::move(step),
          .stated = std::move(stated),
          .measured_peak = peak ? std::optional(Bytes{*peak * 1e9}) : std::nullopt,
          .peak_is_of_last_stage = word_or(cells, "peak_stage", peak_stages, false),
          .peak_reading = cells.word("peak_reading", memory_reading_names),
          .outcome = cells.word("outcome", outcome_names)};
}

RefusedStep refused_step(const CsvRow& cells, const InputError& mistake, const Library& library) {
  std::string why = why_unanswered(cells, "gpus", [&](const std::string& name) {
    return library.find_accelerator(name) != nullptr;
  });
  if (why.empty()) return {.mistake = mistake, .why = mistake.what()};
  return {.mistake = mistake, .why = std::move(why), .location = cells.location()};
}

}  // namespace

const TransformerLayers& body_of(const StepCaseRow& row) {
  const auto& parts = row.step.model.parts;
  assert(parts.size() > 1 && std::holds_alternative<TransformerLayers>(parts[1].shape));
  return std::get<TransformerLayers>(parts[1].shape);  // in the order of `read_model`
}

Columns<StepCaseRow> step_case_columns() {
  const auto of_cluster = [](auto figure) {
    return of_its(&StepCaseRow::step, &StepCase::cluster, figure);
  };
  return {
      {"model", of_model(&Model::name)},
      {"accelerator", &StepCaseRow::accelerator},
      {"gpus_per_node", of_cluster([](const Cluster& c) { return c.accelerators_per_node.value; })},
      {"hidden", of_layers(&TransformerLayers::hidden)},
      {"feed_forward", of_layers(&TransformerLayers::feed_forward)},
      {"layers", of_layers(&TransformerLayers::count)},
      {"heads", of_layers(&TransformerLayers::heads)},
      {"vocabulary",
       of_model([](const Model& m) { return std::get<Vocabulary>(m.parts[0].shape).size; })},
      {"sequence_length", of_model(&Model::sequence_length)},
      {"gpus", of_plan(&Plan::accelerators)},
      {"tensor_parallel", of_plan(&Plan::tensor_parallel_size)},
      {"pipeline_parallel", of_plan(&Plan::pipeline_parallel_size)},
      {"data_parallel", of_plan(&Plan::data_parallel_size)},
      {"interleaved_stages", of_plan(&Plan::chunks_per_stage)},
      {"global_batch",
       of_plan([](const Plan& p) { return static_cast<long long>(p.global_batch()); })},
      {"micro_batch", of_plan([](const Plan& p) { return static_cast<long long>(p.micro_batch); })},
      {"precision", of_model(&Model::precision)},
      {"recompute", of_plan(&Plan::recompute)},
      {"sequence_parallel",
       of_plan([](const Plan& p) { return p.sequence_parallel ? "yes" : "no"; })},
      {"zero_stage", of_plan([](const Plan& p) { return static_cast<int>(p.sharded); })},
      {"cluster", of_cluster(&Cluster::name)}};
}

std::string_view step_case_defaults() {
  return "Columns: accelerator, hidden, layers, heads, gpus (or data_parallel), global_batch;\n"
         "default values of others: feed_forward 4 x hidden, vocabulary 51200, sequence_length "
         "2048,\n"
         "gpus_per_node 8, tensor_parallel, pipeline_parallel, interleaved_stages, micro_batch 1,\n"
         "precision fp16, recompute none, sequence_parallel no, zero_stage 0; model, "
         "measured_step_s\n"
         "may be left out. Models are GPTs as Megatron-LM runs them: attention is not fused, "
         "dropout\n"
         "acts, embeddings are tied.\n";
}

StepCaseTable read_step_cases(const std::filesystem::path& file, const Library& library,
                              std::vector<std::string>* notes) {
  StepCaseTable read;
  std::vector<InputError> ragged;
  const CsvTable table = CsvTable::read_sound_rows(file, ragged);
  for (const InputError& mistake : ragged)
    read.refused.push_back({.mistake = mistake, .why = mistake.what()});
  if (table.rows() == 0 && read.refused.empty())
    throw InputError({.file = file.string()}, "", "has no rows");
  table.leave_out_unknown_columns(step_columns(), notes);
  for (const char* column : {"accelerator", "hidden", "layers", "heads", "global_batch"})
    if (table.rows() > 0) table.at(0, column);  // throws with the column that the header lacks
  for (std::size_t row = 0; row < table.rows(); ++row) try {
      read.rows.push_back(read_row(table, row, library));
    } catch (const InputError& mistake) {
      read.refused.push_back(refused_step(CsvRow(table, row), mistake, library));
    }
  return read;
}

}  // namespace evidence
}  // namespace tofn
