#include "sim/report/import_report.hpp"

namespace tofn {
inline namespace report {

Records import_records(const ImportedRounds& rounds) {
  using Row = ImportedRow;
  const auto text = [](std::string Row::*member) {
    return [member](const Row& row) { return known(row.*member); };
  };
  const Columns<Row> columns{{"round", text(&Row::round)},
                             {"org", &Row::organisation},
                             {"system", &Row::system},
                             {"benchmark", &Row::benchmark},
                             {"division", text(&Row::division)},
                             {"status", text(&Row::status)},
                             {"nodes", &Row::nodes},
                             {"accelerators_per_node", &Row::accelerators_per_node},
                             {"accelerators", &Row::accelerators},
                             {"accelerator", text(&Row::accelerator)},
                             {"runs", &Row::runs},
                             {"global_batch_size", &Row::global_batch},
                             {"grad_accum", &Row::gradient_accumulation},
                             {"tp", &Row::tensor_parallel},
                             {"pp", &Row::pipeline_parallel},
                             {"cp", &Row::context_parallel},
                             {"parallel_source", text(&Row::plan_source)},
                             {"software_release", text(&Row::software_release)},
                             {"framework", text(&Row::framework)},
                             {"precision", text(&Row::precision)},
                             {"precision_source", text(&Row::precision_source)},
                             {"time_to_train_min", &Row::minutes},
                             {"olympic_mean_unscaled_min", &Row::unscaled_minutes},
                             {"rcp_scaling_factor", &Row::scaling_factor},
                             {"runs_failed", &Row::failed_runs},
                             {"samples_to_converge", &Row::samples},
                             {"samples_stdev", &Row::samples_deviation},
                             {"steady_step_ms", &Row::step_ms},
                             {"steady_step_source", text(&Row::step_source)},
                             {"startup_s", &Row::startup_seconds},
                             {"eval_s_each", &Row::evaluation_seconds},
                             {"eval_exposed_min", &Row::evaluation_minutes},
                             {"n_eval", &Row::evaluations},
                             {"init_min", &Row::initialisation_minutes}};
  return records_of(columns, rounds.rows);
}

}  // namespace report
}  // namespace tofn
