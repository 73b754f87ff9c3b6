#include <fmt/format.h>

#include "sim/report/figure_text.hpp"
#include "sim/report/step_record_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {
namespace {

void add_row(TextTable& table, std::size_t number, const ScaledRun& run) {
  const Interval& interval = run.predicted.seconds;
  std::vector<std::string> cells{
      fmt::format("{}", number),
      short_milliseconds(run.alone.time),
      short_milliseconds(run.part(StepPart::Data)),
      short_milliseconds(run.part(StepPart::Imbalance)),
      short_milliseconds(run.predicted.times.total),
      short_milliseconds(Seconds{interval.low}) + "-" + short_milliseconds(Seconds{interval.high})};
  for (std::size_t i = 0; i < run.measured.size(); ++i) {
    cells.push_back(short_milliseconds(run.measured[i].time));
    cells.push_back(fmt::format("{:+.1f}", run.error(i)));
  }
  table.add(std::move(cells));
}

std::string median_errors(const std::vector<ScaledRun>& runs) {
  std::string text = "median error";
  for (std::size_t i = 0; i < reduction_overlaps.size(); ++i) {
    std::vector<double> errors;
    for (const ScaledRun& run : runs) errors.push_back(run.error(i));
    text += fmt::format("{} {:+.1f} % with overlap '{}'", i > 0 ? "," : "", median(errors),
                        reduction_overlaps[i]);
  }
  return text + '\n';
}

}  // namespace

std::string step_record_text(const std::vector<ScaledRun>& runs, int ranks) {
  std::vector<TextTable::Column> columns{{"run", Align::Left},
                                         {"T(1) ms"},
                                         {"all-reduce"},
                                         {"imbalance"},
                                         {fmt::format("T({}) predicted", ranks)},
                                         {"90 % interval"}};
  const bool is_measured = !runs.front().measured.empty();
  for (const std::string_view overlap : reduction_overlaps)
    if (is_measured) {
      columns.push_back({fmt::format("overlap {}", overlap)});
      columns.push_back({"error %"});
    }
  TextTable table(columns);
  for (std::size_t i = 0; i < runs.size(); ++i) add_row(table, i + 1, runs[i]);
  return fmt::format("step of {} on {} ranks, from one rank and all-reduces\n",
                     runs.front().alone.workload, ranks) +
         table.render() + (is_measured ? median_errors(runs) : "");
}

}  // namespace report
}  // namespace tofn
