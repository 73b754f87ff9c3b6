#include <algorithm>

#include <fmt/format.h>

#include "sim/core/count_text.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/job_report.hpp"
#include "sim/report/predict_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {
namespace {

/// `192-2032`: the batches of a ramp.
std::string batches_text(const Job& job) {
  const auto batch = [](const JobPhase& phase) { return phase.step.plan.global_batch(); };
  const double first = batch(job.phases.front());
  const double last = batch(job.phases.back());
  return first == last ? count_text(first, 4)
                       : fmt::format("{}-{}", count_text(first, 4), count_text(last, 4));
}

}  // namespace

std::string job_phases_text(const JobRequest& asked, const RunPoint& point) {
  const auto phases = phase_estimates(point);
  if (asked.run.phases.size() == 1 && phases.front().job->phases.size() == 1) return {};
  TextTable table({{"phase", Align::Left},
                   {"N"},
                   {"batch"},
                   {"length"},
                   {"tokens"},
                   {"step s"},
                   {"tokens/s"},
                   {"MFU %"},
                   {"days"},
                   {"90 %"},
                   {"GB"},
                   {"plan", Align::Left}});
  for (const RunEstimate& phase : phases) {
    const SimulatedStep& step = main_phase(*phase.job).step;
    const RunFigures& f = phase.expected;
    table.add({phase_name(asked.run, phase.job->phases.front().part_of),
               fmt::format("{}", step.plan.accelerators()), batches_text(*phase.job),
               fmt::format("{:g}", step.model.sequence_length), count_text(f.tokens, 4),
               short_figure(f.step_seconds), count_text(f.tokens_per_second, 4), percent(f.mfu),
               short_figure(f.days),
               fmt::format("{}-{}", short_figure(f.days * phase.time.interval.low),
                           short_figure(f.days * phase.time.interval.high)),
               fmt::format("{:.1f}", f.memory_gigabytes), plan_words(step.plan)});
  }
  return table.render() + "\n";
}

}  // namespace report
}  // namespace tofn
