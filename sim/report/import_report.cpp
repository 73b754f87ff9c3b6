#include "sim/report/import_report.hpp"

#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

ExplainedRecords import_records(const ImportedRounds& rounds) {
  using Row = ImportedRow;
  const auto text = [](std::string Row::*member) { return of_its(member, known); };
  const TableColumns<Row> columns{
      {"round", text(&Row::round), "round of MLPerf Training"},
      {"org", &Row::organisation},
      {"system", &Row::system},
      {"benchmark", &Row::benchmark},
      {"division", text(&Row::division), "division: closed or open"},
      {"status", text(&Row::status), "status of the system: available, preview or research"},
      {"nodes", &Row::nodes},
      {"accelerators_per_node", &Row::accelerators_per_node},
      {"accelerators", &Row::accelerators},
      {"accelerator", text(&Row::accelerator)},
      {"runs", &Row::runs, "runs of the submission"},
      {"global_batch_size", &Row::global_batch},
      {"grad_accum", &Row::gradient_accumulation},
      {"tp", &Row::tensor_parallel},
      {"pp", &Row::pipeline_parallel},
      {"cp", &Row::context_parallel},
      {"parallel_source", text(&Row::plan_source), "source of the plan"},
      {"software_release", text(&Row::software_release)},
      {"framework", text(&Row::framework), "framework, as submitted"},
      {"precision", text(&Row::precision)},
      {"precision_source", text(&Row::precision_source), "source of the precision"},
      {"time_to_train_min", &Row::minutes},
      {"olympic_mean_unscaled_min", &Row::unscaled_minutes,
       "mean without the fastest and the slowest run, unscaled"},
      {"rcp_scaling_factor", &Row::scaling_factor,
       "scaling factor of the rule for lucky convergence"},
      {"runs_failed", &Row::failed_runs, "runs that missed the target"},
      {"samples_to_converge", &Row::samples},
      {"samples_stdev", &Row::samples_deviation, "standard deviation of the samples over the runs"},
      {"steady_step_ms", &Row::step_ms},
      {"steady_step_source", text(&Row::step_source), "source of the step"},
      {"startup_s", &Row::startup_seconds, "time before the first step"},
      {"eval_s_each", &Row::evaluation_seconds, "time of one evaluation"},
      {"eval_exposed_min", &Row::evaluation_minutes, "exposed time of all evaluations"},
      {"n_eval", &Row::evaluations, "evaluations of a run"},
      {"init_min", &Row::initialisation_minutes, "initialisation that the score leaves out"}};
  return records_of(columns, rounds.rows);
}

namespace {

std::string whole(double count) { return fmt::format("{:.0f}", count); }

}  // namespace

std::string import_summary(const ImportedRounds& rounds) {
  return fmt::format(
      "{} of {} ({}); {} damaged, {} without run_stop\n", counted(rounds.rows.size(), "row"),
      counted(rounds.files, "file"), to_text(Bytes{static_cast<double>(rounds.bytes)}),
      counted(rounds.damaged_lines, "line"), counted(rounds.truncated_files, "file"));
}

std::string import_text(const ImportedRounds& rounds) {
  using Row = ImportedRow;
  const auto system = [](const Row& row) { return row.organisation + "/" + row.system; };
  const TableColumns<Row> columns{left("system", system),
                                  left("benchmark", &Row::benchmark),
                                  right("N", &Row::accelerators, whole),
                                  right("runs", &Row::runs),
                                  right("failed", &Row::failed_runs),
                                  right("minutes", &Row::minutes, "{:.4f}"),
                                  right("scaling", &Row::scaling_factor, "{:.5g}"),
                                  right("batch", &Row::global_batch, whole),
                                  right("samples", &Row::samples, whole),
                                  right("step ms", &Row::step_ms, "{:.3f}"),
                                  left("step from", &Row::step_source)};
  return table_text(columns, rounds.rows) + import_summary(rounds);
}

}  // namespace report
}  // namespace tofn
