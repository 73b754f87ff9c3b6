#include <algorithm>

#include <fmt/format.h>

#include "sim/core/count_text.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/job_report.hpp"
#include "sim/report/predict_report.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {
namespace {

/// Batches of a ramp: `192-2032`.
std::string batches_text(const Job& job) {
  const auto batch = [](const JobPhase& phase) { return phase.step.plan.global_batch(); };
  const double first = batch(job.phases.front());
  const double last = batch(job.phases.back());
  return first == last ? count_text(first, 4)
                       : fmt::format("{}-{}", count_text(first, 4), count_text(last, 4));
}

}  // namespace

std::string job_phases_text(const JobRequest& request, const RunPoint& point) {
  const auto phases = phase_estimates(point);
  if (request.run.phases.size() == 1 && phases.front().job->phases.size() == 1) return {};
  using Row = RunEstimate;
  const auto expected = [](double RunFigures::*figure) { return of_its(&Row::expected, figure); };
  const auto of_step = [](auto figure) {
    return [figure](const Row& r) { return std::invoke(figure, main_phase(*r.job).step); };
  };
  const auto counted = [](double count) { return count_text(count, 4); };
  const auto interval = [](const Row& r) {
    return fmt::format("{}-{}", short_figure(r.expected.days * r.time.interval.low),
                       short_figure(r.expected.days * r.time.interval.high));
  };
  const TableColumns<Row> columns{
      {"", [&](const Row& r) { return phase_name(request.run, r.job->phases.front().part_of); },
       left("phase")},
      {"", of_step([](const SimulatedStep& s) { return s.plan.accelerators(); }), right("N")},
      {"", [](const Row& r) { return batches_text(*r.job); }, right("batch")},
      {"", of_step([](const SimulatedStep& s) { return s.model.sequence_length; }),
       right("length", "{:g}")},
      {"", expected(&RunFigures::tokens), right("tokens", counted)},
      {"", expected(&RunFigures::step_seconds), right("step s", short_figure)},
      {"", expected(&RunFigures::tokens_per_second), right("tokens/s", counted)},
      {"", expected(&RunFigures::mfu), right("MFU %", percent)},
      {"", expected(&RunFigures::days), right("days", short_figure)},
      {"", interval, right("90 %")},
      {"", expected(&RunFigures::memory_gigabytes), right("GB", "{:.1f}")},
      {"", of_step([](const SimulatedStep& s) { return plan_words(s.plan); }), left("plan")}};
  return table_text(columns, phases) + "\n";
}

}  // namespace report
}  // namespace tofn
