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
      left("phase",
           [&](const Row& r) { return phase_name(request.run, r.job->phases.front().part_of); }),
      right("N", of_step([](const SimulatedStep& s) { return s.plan.accelerators(); })),
      right("batch", [](const Row& r) { return batches_text(*r.job); }),
      right("length", of_step([](const SimulatedStep& s) { return s.model.sequence_length; }),
            "{:g}"),
      right("tokens", expected(&RunFigures::tokens), counted),
      right("step s", expected(&RunFigures::step_seconds), short_figure),
      right("tokens/s", expected(&RunFigures::tokens_per_second), counted),
      right("MFU %", expected(&RunFigures::mfu), percent),
      right("days", expected(&RunFigures::days), short_figure),
      right("90 %", interval),
      right("GB", expected(&RunFigures::memory_gigabytes), "{:.1f}"),
      left("plan", of_step([](const SimulatedStep& s) { return plan_words(s.plan); }))};
  return table_text(columns, phases) + "\n";
}

}  // namespace report
}  // namespace tofn
