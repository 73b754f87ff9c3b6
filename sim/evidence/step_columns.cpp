#include "sim/evidence/step_columns.hpp"

#include <algorithm>
#include <array>
#include <optional>

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

}  // namespace evidence
}  // namespace tofn
