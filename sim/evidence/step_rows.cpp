#include "sim/evidence/step_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

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

/// Stage that `measured_peak_gb` is of.
constexpr std::array<std::pair<std::string_view, bool>, 2> peak_stages{
    {{"fullest", false}, {"last", true}}};

template <class T, std::size_t N>
T word_or(const CsvRow& cells, std::string_view column,
          const std::array<std::pair<std::string_view, T>, N>& words, T typical) {
  return cells.word(column, words).value_or(typical);
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
      .model = model_of_row(cells), .plan = read_plan(cells), .cluster = {}, .measured = {}};
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

const TransformerLayers& body_of(const StepCaseRow& row) { return body_of(row.step.model); }

Columns<StepCaseRow> step_case_columns() {
  const auto of_cluster = [](auto figure) {
    return of_its(&StepCaseRow::step, &StepCase::cluster, figure);
  };
  return {
      {"model", of_model(&Model::name)},
      {"accelerator", &StepCaseRow::accelerator},
      {"gpus_per_node", of_cluster([](const Cluster& c) { return c.accelerators_per_node.value; })},
      {"hidden", of_layers(&TransformerLayers::hidden), "width of the model"},
      {"feed_forward", of_layers(&TransformerLayers::feed_forward),
       "width of the model's feed-forward networks"},
      {"layers", of_layers(&TransformerLayers::count), "layers of the model"},
      {"heads", of_layers(&TransformerLayers::heads), "heads of the model's attention"},
      {"vocabulary",
       of_model([](const Model& m) { return std::get<Vocabulary>(m.parts[0].shape).size; }),
       "entries of the vocabulary"},
      {"sequence_length", of_model(&Model::sequence_length)},
      {"gpus", of_plan(&Plan::accelerators), "accelerators of the job"},
      {"tensor_parallel", of_plan(&Plan::tensor_parallel_size)},
      {"pipeline_parallel", of_plan(&Plan::pipeline_parallel_size)},
      {"data_parallel", of_plan(&Plan::data_parallel_size)},
      {"interleaved_stages", of_plan(&Plan::chunks_per_stage), "chunks of a stage"},
      {"global_batch",
       of_plan([](const Plan& p) { return static_cast<long long>(p.global_batch()); })},
      {"micro_batch", of_plan([](const Plan& p) { return static_cast<long long>(p.micro_batch); })},
      {"precision", of_model(&Model::precision)},
      {"recompute", of_plan(&Plan::recompute)},
      {"sequence_parallel",
       of_plan([](const Plan& p) { return p.sequence_parallel ? "yes" : "no"; })},
      {"zero_stage", of_plan([](const Plan& p) { return static_cast<int>(p.sharded); }),
       "ZeRO stage: 0 to 3"},
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
