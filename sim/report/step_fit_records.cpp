#include "sim/report/step_fit_report.hpp"

namespace tofn {
inline namespace report {

Records step_fit_records(const OwnFit& report) {
  struct Row {
    const MeasuredStep* measured;
    const RunDescription* run;
    ComputeProfile profile;
  };
  std::vector<Row> rows;
  for (std::size_t i = 0; i < report.own.size(); ++i) {
    const RunDescription& run = report.own[i].run;
    rows.push_back({&report.profile->rows[i], &run, report.calibration->profile_for(run)});
  }
  const auto measured = [](auto figure) { return of_its(&Row::measured, figure); };
  const Columns<Row> columns{
      {"source", measured(&MeasuredStep::source)},
      {"accelerators", measured(&MeasuredStep::accelerators)},
      {"global_batch", measured(&MeasuredStep::global_batch)},
      {"micro_batch", of_its(&Row::run, &RunDescription::plan, &Plan::micro_batch)},
      {"gradient_accumulation", measured(&MeasuredStep::gradient_accumulation)},
      {"tensor_parallel", measured(&MeasuredStep::tensor_parallel_size)},
      {"context_parallel", measured(&MeasuredStep::context_parallel_size)},
      {"step_ms", measured([](const MeasuredStep& s) { return s.step.base() * 1e3; })},
      {"spread", measured(&MeasuredStep::spread)},
      {"steps", measured(&MeasuredStep::steps)},
      {"fitted_step_ms", [](const Row& r) { return fitted_step(*r.run, r.profile).base() * 1e3; }},
      {"overhead_ms", [](const Row& r) { return r.profile.overhead.base() * 1e3; }},
      {"overhead_is_borrowed", [&](const Row&) { return !tells_overhead(report); }},
      {"efficiency", of_its(&Row::profile, &ComputeProfile::efficiency)}};
  return records_of(columns, rows);
}

}  // namespace report
}  // namespace tofn
