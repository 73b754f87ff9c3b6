#include "sim/report/step_record_report.hpp"

#include <fmt/format.h>

#include "sim/report/figure_text.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {

Records step_record_records(const std::vector<ScaledRun>& runs, int ranks) {
  using Run = ScaledRun;
  Columns<Run> columns{
      {"workload", [](const Run& r) { return r.alone.workload; }},
      {"ranks", [=](const Run&) { return ranks; }},
      {"alone_s", [](const Run& r) { return r.alone.time.base(); }},
      {"all_reduce_s", [](const Run& r) { return r.part(StepPart::Data).base(); }},
      {"imbalance_s", [](const Run& r) { return r.part(StepPart::Imbalance).base(); }},
      {"predicted_s", [](const Run& r) { return r.predicted.times.total.base(); }},
      {"low_s", [](const Run& r) { return r.predicted.seconds.low; }},
      {"high_s", [](const Run& r) { return r.predicted.seconds.high; }}};
  for (std::size_t i = 0; i < reduction_overlaps.size(); ++i) {
    columns.emplace_back(
        fmt::format("overlap_{}_measured_s", reduction_overlaps[i]), [i](const Run& r) {
          return r.measured.empty() ? std::nullopt : std::optional(r.measured[i].time.base());
        });
    columns.emplace_back(fmt::format("overlap_{}_error_percent", reduction_overlaps[i]),
                         [i](const Run& r) {
                           return r.measured.empty() ? std::nullopt : std::optional(r.error(i));
                         });
  }
  return records_of(columns, runs);
}

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
