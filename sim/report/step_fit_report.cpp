#include "sim/report/step_fit_report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/report/figure_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

namespace {

/// A row of the profile with its fit.
struct FitRow {
  const MeasuredStep* measured;
  const Observation* seen;
  ComputeProfile profile;

  Seconds fit() const { return fitted_step(seen->run, profile); }
  const Plan& plan() const { return seen->run.plan; }
};

std::vector<FitRow> rows_of(const OwnFit& report) {
  std::vector<FitRow> rows;
  for (std::size_t i = 0; i < report.own.size(); ++i)
    rows.push_back({&report.profile->rows[i], &report.own[i],
                    report.calibration->profile_for(report.own[i].run)});
  return rows;
}

/// Fitted over measured, less 1, in % to one digit; zero has no sign.
std::string residual_text(const FitRow& row) {
  const double tenths = std::round(1000 * (row.fit() / *row.seen->step - 1));
  return tenths == 0 ? "0.0" : fmt::format("{:+.1f}", tenths / 10);
}

TableColumns<FitRow> fit_columns(const OwnFit& report) {
  using Row = FitRow;
  const auto measured = [](auto figure) { return of_its(&Row::measured, figure); };
  const auto plan = [](auto figure) { return of_its(&Row::plan, figure); };
  const auto step = [](const Row& r) { return milliseconds(r.measured->step); };
  return {{"source", measured(&MeasuredStep::source), left("source")},
          {"accelerators", measured(&MeasuredStep::accelerators)},
          right("N", plan(&Plan::accelerators)),
          {"global_batch", measured(&MeasuredStep::global_batch)},
          right("batch", plan(&Plan::global_batch), "{:g}"),
          {"micro_batch", plan(&Plan::micro_batch), right("b", "{:g}")},
          {"gradient_accumulation", measured(&MeasuredStep::gradient_accumulation)},
          {right("accum.", plan(&Plan::gradient_accumulation)), "accumulation steps"},
          {"tensor_parallel", measured(&MeasuredStep::tensor_parallel_size)},
          right("tp", plan(&Plan::tensor_parallel_size)),
          {"context_parallel", measured(&MeasuredStep::context_parallel_size)},
          right("cp", plan(&Plan::context_parallel_size)),
          {"step_ms", measured([](const MeasuredStep& s) { return s.step.base() * 1e3; }),
           right("step ms", step), "step as measured, in milliseconds"},
          {"spread", measured(&MeasuredStep::spread), right("spread %", percent)},
          {"steps", measured(&MeasuredStep::steps), right("steps")},
          {"fitted_step_ms", [](const Row& r) { return r.fit().base() * 1e3; },
           right("fit is off by %", residual_text), "step by the fit, in milliseconds"},
          {"overhead_ms", [](const Row& r) { return r.profile.overhead.base() * 1e3; }},
          {"overhead_is_borrowed", [&](const Row&) { return !tells_overhead(report); },
           "1 where the steps do not tell the overhead apart"},
          {"efficiency", of_its(&Row::profile, &ComputeProfile::efficiency)}};
}

/// Source of the overhead.
std::string overhead_origin(const OwnFit& report) {
  const AcceleratorFit& fit = accelerator_of(report);
  const WorkloadCalibration& workload = workload_of(report);
  if (tells_overhead(report)) return "fitted to the batches above";
  if (fit.steps.learned == Learned::Overhead)
    return "borrowed from published runs on " + fit.accelerator.name;
  if (workload.overhead_is_per_operator)
    return "borrowed: per operator, what captured iterations share";
  const AcceleratorFit& best = workload.accelerators.front();
  if (&best != &fit) return "borrowed from published runs on " + best.accelerator.name;
  return "not known, taken as none";
}

/// Suggests a batch with passes half as large, or twice as large if they have one sample.
std::string next_batch_text(const OwnFit& report) {
  if (tells_overhead(report)) return {};
  const auto smallest = std::ranges::min_element(report.own, [](const auto& a, const auto& b) {
    return a.run.plan.micro_batch < b.run.plan.micro_batch;
  });
  const Plan& plan = smallest->run.plan;
  const double samples =
      plan.micro_batch >= 2 ? std::floor(plan.micro_batch / 2) : 2 * plan.micro_batch;
  const double batch = plan.global_batch() / plan.micro_batch * samples;
  return note("measure next",
              fmt::format("   batch {:g} on {} accelerators ({:g} {} a pass "
                          "rather than {:g}): it separates overhead from arithmetic",
                          batch, plan.accelerators(), samples, samples == 1 ? "sample" : "samples",
                          plan.micro_batch));
}

}  // namespace

ExplainedRecords step_fit_records(const OwnFit& report) {
  return records_of(fit_columns(report), rows_of(report));
}

std::string step_fit_text(const OwnFit& report) {
  const RunDescription& run = report.own.front().run;
  const ComputeProfile profile = report.calibration->profile_for(run);
  std::string text = fmt::format("{} on {} ({})\n", run.workload->name, run.cluster->name,
                                 run.cluster->accelerator.name);
  text += table_text(fit_columns(report), rows_of(report));
  text += "  b: samples per replica and pass; spread: between single steps\n";
  text += fmt::format("overhead a pass  {:.3f} ms +- {:.0f} %, {}\n", profile.overhead.base() * 1e3,
                      100 * profile.overhead_spread, overhead_origin(report));
  text += note("efficiency",
               fmt::format("   {:.3f} of the {} peak, +- {:.1f} %", profile.efficiency,
                           to_text(profile.precision.matmul), 100 * profile.efficiency_spread));
  return text + next_batch_text(report);
}

}  // namespace report
}  // namespace tofn
