#include "sim/glossary/explain_report.hpp"
#include "sim/glossary/term.hpp"
#include "sim/report/calibrate_report.hpp"
#include "sim/report/check_report.hpp"
#include "sim/report/collective_check_report.hpp"
#include "sim/report/collective_report.hpp"
#include "sim/report/detection_report.hpp"
#include "sim/report/energy_report.hpp"
#include "sim/report/import_report.hpp"
#include "sim/report/list_report.hpp"
#include "sim/report/mlperf_report.hpp"
#include "sim/report/model_steps_report.hpp"
#include "sim/report/next_measurement_report.hpp"
#include "sim/report/plan_order_report.hpp"
#include "sim/report/published_report.hpp"
#include "sim/report/quote_report.hpp"
#include "sim/report/repeat_report.hpp"
#include "sim/report/rl_report.hpp"
#include "sim/report/rl_scores_report.hpp"
#include "sim/report/runs_report.hpp"
#include "sim/report/scale_report.hpp"
#include "sim/report/scorecard_report.hpp"
#include "sim/report/sensitivity_report.hpp"
#include "sim/report/step_cases_report.hpp"
#include "sim/report/step_check_report.hpp"
#include "sim/report/step_fit_report.hpp"
#include "sim/report/step_record_report.hpp"
#include "sim/report/step_view_report.hpp"
#include "sim/report/steps_report.hpp"
#include "sim/report/study_report.hpp"
#include "sim/report/validate_report.hpp"
#include "sim/report/watch_collectives_report.hpp"
#include "sim/report/watch_report.hpp"

namespace tofn {
inline namespace glossary {

std::vector<CommandColumns> columns_of_tables() {
  std::vector<CommandColumns> all;
  for (const Listing& list :
       {list_accelerators({}), list_clusters({}), list_fabrics({}), list_baselines({}),
        list_workloads({}), list_models({}), list_architectures({}), list_plans({}), list_runs({}),
        list_stacks({}), list_launchers({}, {}), list_sweeps({}), list_figures(),
        list_disclosures(), list_fields({}), list_calibrations(Calibration({}))})
    all.push_back({"list", list.records.words});
  const auto add = [&](std::string_view command, const std::vector<ExplainedRecords>& tables) {
    for (const ExplainedRecords& table : tables) all.push_back({command, table.words});
  };
  add("check", {check_records({})});
  add("collective", {collective_records({}), collective_check_records({}, {}, {})});
  add("scale", {quote_records({}), scale_law_records({}), scale_knee_records({}),
                scale_left_out_records({})});
  add("predict", {sensitivity_records({}), next_measurement_records({}), stage_records({}),
                  pass_records({}), span_records({}), rl_records({}, {})});
  add("plan", {choice_measurement_records({})});
  all.push_back({"step", step_check_words()});
  add("step", {step_record_records({}, 0), case_records({})});
  add("calibrate", {calibrate_records({}), step_fit_records({}), model_steps_records({})});
  add("study", {study_records({}), cluster_records({}), claim_records({}), loss_records({})});
  add("validate", {validate_records({}, {}), detection_records({}, {}), energy_records({}),
                   runs_records({}), published_records({}, ""), steps_records({}, StepProtocol{}),
                   plan_order_records({}), scorecard_records({}), rl_scores_records({})});
  add("import", {import_records({})});
  add("report", {worst_records({})});
  add("watch", {watch_records({}), watch_collectives_records({})});
  add("repeat", {repeat_records({})});
  add("explain", {term_records({})});
  return all;
}

}  // namespace glossary
}  // namespace tofn
