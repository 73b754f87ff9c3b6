#include <cmath>

#include <fmt/format.h>

#include "sim/core/count_text.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/runs_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {
namespace {

bool any(const PublishedRun&) { return true; }
bool states_both(const PublishedRun& run) { return run.use == "time+plan"; }
bool has_baseline(const PublishedRun& run) { return run.baseline_hours.has_value(); }

std::string signed_error(double hours, const PublishedRun& run) {
  return fmt::format("{:+.1f}", 100 * (hours / run.hours - 1));
}

std::string inside_text(const std::vector<PublishedRun>& runs) {
  int inside = 0;
  int all = 0;
  for (const PublishedRun& run : runs) {
    if (!run.skipped_because.empty()) continue;
    ++all;
    if (run.low <= run.hours && run.hours <= run.high) ++inside;
  }
  return fmt::format("90 % intervals hold {} of {}\n", inside, all);
}

}  // namespace

std::string runs_text(const std::vector<PublishedRun>& runs) {
  TextTable table({{"run", Align::Left},
                   {"accelerator", Align::Left},
                   {"N"},
                   {"stated h"},
                   {"predicted"},
                   {"90 %"},
                   {"error %"},
                   {"steps alone %"},
                   {"baseline %"}});
  std::string skipped;
  for (const PublishedRun& run : runs) {
    if (!run.skipped_because.empty()) {
      skipped += fmt::format("left out: {}: {}\n", run.name, run.skipped_because);
      continue;
    }
    table.add({fitted(run.name, 28), run.accelerator, fmt::format("{}", run.accelerators),
               count_text(run.hours, 3), count_text(run.corrected_hours, 3),
               count_text(run.low, 3) + "-" + count_text(run.high, 3),
               signed_error(run.corrected_hours, run), signed_error(run.predicted_hours, run),
               run.baseline_hours ? signed_error(*run.baseline_hours, run) : "-"});
  }
  TextTable errors(
      {{"accelerator-hours", Align::Left}, {"runs"}, {"median %"}, {"mean %"}, {"worst %"}});
  const auto add = [&](const char* name, double (*hours)(const PublishedRun&),
                       bool (*chosen)(const PublishedRun&)) {
    const ErrorSummary e = errors_of(runs, hours, chosen);
    if (e.count > 0)
      errors.add(
          {name, fmt::format("{}", e.count), percent(e.median), percent(e.mean), percent(e.worst)});
  };
  const auto corrected = [](const PublishedRun& r) { return r.corrected_hours; };
  add("predicted", corrected, any);
  add("of these with plan and N stated", corrected, states_both);
  add(
      "the steps and interruptions alone", [](const PublishedRun& r) { return r.predicted_hours; },
      any);
  add(
      "baseline", [](const PublishedRun& r) { return *r.baseline_hours; }, has_baseline);
  return table.render() + skipped + '\n' + errors.render() + inside_text(runs) +
         "predicted: the steps and interruptions, times the median of what runs of other families "
         "took\n"
         "over theirs, on the same chip where there are five; baseline: the median utilisation of "
         "other\n"
         "families on that chip\n";
}

}  // namespace report
}  // namespace tofn
