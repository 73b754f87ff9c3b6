#include "sim/report/step_fit_report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/report/figure_text.hpp"
#include "sim/report/text_table.hpp"

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

namespace {

constexpr std::size_t source_column_width = 40;

/// Fitted over measured, less 1, in % to one digit; a zero bears no sign.
std::string residual_text(const OwnFit& report, const Observation& seen) {
  const Seconds fit = fitted_step(seen.run, report.calibration->profile_for(seen.run));
  const double tenths = std::round(1000 * (fit / *seen.step - 1));
  return tenths == 0 ? "0.0" : fmt::format("{:+.1f}", tenths / 10);
}

std::string rows_text(const OwnFit& report) {
  TextTable table({{"source", Align::Left},
                   {"N"},
                   {"batch"},
                   {"b"},
                   {"accum."},
                   {"tp"},
                   {"cp"},
                   {"step ms"},
                   {"spread %"},
                   {"steps"},
                   {"fit is off by %"}});
  for (std::size_t i = 0; i < report.own.size(); ++i) {
    const MeasuredStep& row = report.profile->rows[i];
    const Plan& plan = report.own[i].run.plan;
    table.add({fitted(row.source, source_column_width), fmt::format("{}", plan.accelerators()),
               fmt::format("{:g}", plan.global_batch()), fmt::format("{:g}", plan.micro_batch),
               fmt::format("{}", plan.gradient_accumulation),
               fmt::format("{}", plan.tensor_parallel_size),
               fmt::format("{}", plan.context_parallel_size), milliseconds(row.step),
               percent(row.spread), fmt::format("{}", row.steps),
               residual_text(report, report.own[i])});
  }
  return table.render();
}

/// Where the overhead comes from.
std::string overhead_origin(const OwnFit& report) {
  const AcceleratorFit& fit = accelerator_of(report);
  const WorkloadCalibration& workload = workload_of(report);
  if (tells_overhead(report)) return "told by the batches above";
  if (fit.steps.learnt == Learnt::Overhead)
    return "borrowed from published runs on " + fit.accelerator.name;
  if (workload.overhead_is_per_operator)
    return "borrowed: per operator, what captured iterations share";
  const AcceleratorFit& best = workload.accelerators.front();
  if (&best != &fit) return "borrowed from published runs on " + best.accelerator.name;
  return "not known, taken as none";
}

/// A batch whose passes are half as large, or twice where they hold one sample.
std::string next_batch_text(const OwnFit& report) {
  if (tells_overhead(report)) return {};
  const auto smallest = std::min_element(
      report.own.begin(), report.own.end(),
      [](const auto& a, const auto& b) { return a.run.plan.micro_batch < b.run.plan.micro_batch; });
  const Plan& plan = smallest->run.plan;
  const double samples =
      plan.micro_batch >= 2 ? std::floor(plan.micro_batch / 2) : 2 * plan.micro_batch;
  const double batch = plan.global_batch() / plan.micro_batch * samples;
  return fmt::format(
      "measure next     batch {:g} on {} accelerators ({:g} {} a pass instead of {:g}): it tells "
      "overhead from arithmetic\n",
      batch, plan.accelerators(), samples, samples == 1 ? "sample" : "samples", plan.micro_batch);
}

}  // namespace

std::string step_fit_text(const OwnFit& report) {
  const RunDescription& run = report.own.front().run;
  const ComputeProfile profile = report.calibration->profile_for(run);
  std::string text = fmt::format("{} on {} ({})\n", run.workload->name, run.cluster->name,
                                 run.cluster->accelerator.name);
  text += rows_text(report);
  text += "  b: samples per replica and pass; spread: between single steps\n";
  text += fmt::format("overhead a pass  {:.3f} ms +- {:.0f} %, {}\n", profile.overhead.base() * 1e3,
                      100 * profile.overhead_spread, overhead_origin(report));
  text += fmt::format("efficiency       {:.3f} of the {} peak, +- {:.1f} %\n", profile.efficiency,
                      to_text(profile.precision.matmul), 100 * profile.efficiency_spread);
  return text + next_batch_text(report);
}

}  // namespace report
}  // namespace tofn
