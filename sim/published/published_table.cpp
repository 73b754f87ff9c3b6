#include "sim/published/published_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sim/cluster/precision_words.hpp"
#include "sim/cluster/unanswered_row.hpp"
#include "sim/core/csv_row.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"

namespace tofn {
inline namespace published {
namespace {

/// Columns of configs/published and of `tofn import`; some are only for people.
constexpr std::array known_columns =
    std::to_array<std::string_view>({"round",
                                     "org",
                                     "system",
                                     "benchmark",
                                     "division",
                                     "status",
                                     "nodes",
                                     "accelerators_per_node",
                                     "accelerators",
                                     "accelerator",
                                     "runs",
                                     "global_batch_size",
                                     "micro_batch_per_replica",
                                     "grad_accum",
                                     "tp",
                                     "pp",
                                     "cp",
                                     "vp",
                                     "dp",
                                     "sequence_parallel",
                                     "parallel_source",
                                     "packing",
                                     "software_release",
                                     "software_release_source",
                                     "framework",
                                     "precision",
                                     "precision_source",
                                     "fp8_attention",
                                     "tp_comm_overlap",
                                     "cuda_graphs",
                                     "overlap_gradient_reduction",
                                     "sharp",
                                     "skip_evals",
                                     "evaluation_interval",
                                     "nccl_variables",
                                     "host_networking",
                                     "nics_per_node",
                                     "nic_gbps",
                                     "intra_node_interconnect",
                                     "accelerator_memory",
                                     "host_processor",
                                     "time_to_train_min",
                                     "olympic_mean_unscaled_min",
                                     "rcp_scaling_factor",
                                     "runs_failed",
                                     "run_min",
                                     "run_max",
                                     "run_stdev",
                                     "samples_to_converge",
                                     "samples_stdev",
                                     "epochs_to_converge",
                                     "steps",
                                     "steady_step_ms",
                                     "steady_step_source",
                                     "steady_throughput_samples_per_s",
                                     "startup_s",
                                     "eval_s_each",
                                     "eval_min",
                                     "eval_exposed_min",
                                     "n_eval",
                                     "init_min",
                                     "notes"});

/// Round of a row: 4.1 of `v4.1`.
std::optional<double> round_of(const CsvRow& row) {
  const std::string cell = row.text("round");
  if (cell.empty()) return {};
  double value = 0;
  if (cell.front() != 'v' || !parse_number(cell.substr(1), value) || !(value > 0))
    row.fail("round", fmt::format("expected a round like v4.1, got '{}'", shortened(cell)));
  return value;
}

/// An amount that predicting a run needs. A row without it is noted, which is no mistake, because
/// tables include systems that published less.
double stated_amount(const CsvRow& row, std::string_view column, RowInputs& in) {
  if (!row.has(column)) row.needed_text(column);  // throws if the table lacks the column
  const auto value = row.not_negative(column);
  if (in.unknown.empty() && (!value || *value == 0))
    in.unknown = fmt::format("unknown {}{}", column, value ? ", which is 0" : "");
  return value && *value > 0 ? *value : 0;
}

int stated_count(const CsvRow& row, std::string_view column, RowInputs& in) {
  return stated_amount(row, column, in) > 0 ? row.needed_count(column) : 0;
}

std::optional<Precision> format_of(const CsvRow& row) {
  const std::string words = row.text("precision");
  if (leaves_recipe_open(words)) return {};
  const auto named = precision_named(words);
  return named ? std::optional(named->precision) : std::nullopt;
}

/// The stated release, else the `ngcYY.MM` in NVIDIA's system names.
std::string release_of(const CsvRow& row, const std::string& system) {
  std::string stated = row.text("software_release");
  const auto tag = system.find("ngc");
  if (!stated.empty() || tag == std::string::npos) return stated;
  const std::string name = system.substr(tag + 3, 5);
  return months_between(name, name) ? name : std::string{};
}

/// InputError if the row's nodes hold another number of accelerators.
void check_accelerators(const CsvRow& row, const RowInputs& in) {
  if (!in.unknown.empty() || !in.nodes || !in.accelerators_per_node) return;
  if (1LL * *in.nodes * *in.accelerators_per_node == in.accelerators) return;
  row.fail("accelerators", fmt::format("is {}, but nodes and accelerators_per_node make {} x {}",
                                       in.accelerators, *in.nodes, *in.accelerators_per_node));
}

RowInputs read_inputs(const CsvRow& row) {
  RowInputs in;
  in.location = row.location();
  in.round = round_of(row);
  in.benchmark = row.needed_text("benchmark");
  in.organisation = row.needed_text("org");
  in.system = row.needed_text("system");
  in.accelerator = row.needed_text("accelerator");
  in.unknown = why_unanswered(row, "accelerators");
  in.accelerators = stated_count(row, "accelerators", in);
  const int fewest = in.accelerators > 0 ? 1 : 0;
  in.nodes = row.count("nodes", fewest);
  in.accelerators_per_node = row.count("accelerators_per_node", fewest);
  check_accelerators(row, in);
  in.runs = row.count("runs");
  in.global_batch = stated_amount(row, "global_batch_size", in);
  in.gradient_accumulation = row.count("grad_accum");
  in.tensor_parallel_size = row.count("tp");
  in.pipeline_parallel_size = row.count("pp");
  in.context_parallel_size = row.count("cp");
  in.chunks_per_stage = row.count("vp");
  in.settings = {.software_release = release_of(row, in.system),
                 .precision = format_of(row),
                 .fp8_attention = row.flag("fp8_attention"),
                 .tensor_overlap = row.flag("tp_comm_overlap"),
                 .cuda_graphs = row.word("cuda_graphs", cuda_graph_names),
                 .overlap_gradient_reduction = row.flag("overlap_gradient_reduction"),
                 .in_network_reduction = row.flag("sharp"),
                 .skipped_evaluations = row.not_negative("skip_evals"),
                 .evaluation_interval = row.positive("evaluation_interval")};
  in.nics_per_node = row.count("nics_per_node");
  in.nic_gbps = row.positive("nic_gbps");
  return in;
}

RowOutcome read_outcome(const CsvRow& row) {
  return {.official_minutes = row.positive("time_to_train_min"),
          .unscaled_minutes = row.positive("olympic_mean_unscaled_min"),
          .samples = row.positive("samples_to_converge"),
          .samples_deviation = row.not_negative("samples_stdev"),
          .step_ms = row.positive("steady_step_ms"),
          .startup_seconds = row.number("startup_s"),
          .evaluation_exposed_minutes =
              row.number(row.has("eval_exposed_min") ? "eval_exposed_min" : "eval_min"),
          .evaluations = row.number("n_eval")};
}

}  // namespace

std::string PublishedRow::contradiction() const {
  constexpr double rounding = 1.02;  // over the clock, because steps are medians of blocks
  if (!outcome.step_ms || !outcome.samples || !outcome.unscaled_minutes) return {};
  if (!(inputs.global_batch > 0)) return {};
  const double steps = *outcome.samples / inputs.global_batch;
  const double evaluating = outcome.evaluation_exposed_minutes.value_or(0);
  const double minutes = steps * *outcome.step_ms / 6e4 + evaluating;
  if (minutes <= rounding * *outcome.unscaled_minutes) return {};
  return fmt::format(
      "its numbers contradict each other: {:.0f} steps of {:g} ms and {:.3g} min of evaluations "
      "are "
      "{:.4g} min, its time is {:.4g}",
      steps, *outcome.step_ms, evaluating, minutes, *outcome.unscaled_minutes);
}

std::vector<PublishedRow> read_published_table(const std::filesystem::path& path,
                                               std::vector<std::string>* notes) {
  const CsvTable table = CsvTable::read(path);
  if (table.rows() == 0) throw InputError({path.string()}, "", "has a header but no rows");
  table.leave_out_unknown_columns(known_columns, notes);
  std::vector<PublishedRow> rows;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const CsvRow row(table, i);
    rows.push_back({read_inputs(row), read_outcome(row)});
  }
  return rows;
}

bool same_runs(const PublishedRow& a, const PublishedRow& b) {
  return a.inputs.benchmark == b.inputs.benchmark &&
         a.inputs.accelerators == b.inputs.accelerators && a.outcome.unscaled_minutes &&
         a.outcome.unscaled_minutes == b.outcome.unscaled_minutes &&
         a.outcome.samples == b.outcome.samples;
}

}  // namespace published
}  // namespace tofn
