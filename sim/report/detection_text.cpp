#include <fmt/format.h>

#include "sim/report/detection_report.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/text_table.hpp"
#include "sim/validation/slowed_sizes.hpp"

namespace tofn {
inline namespace report {
namespace {

std::string_view make_name(bool is_known) { return is_known ? "known" : "unknown"; }

}  // namespace

std::string detection_text(const std::vector<DetectionTrial>& trials) {
  TextTable table({{"make", Align::Left},
                   {"tables"},
                   {"false alarms"},
                   {"deviations"},
                   {"slower"},
                   {"all sizes"},
                   {"the larger half"}});
  std::string areas;
  for (const bool known : {true, false}) {
    for (const double false_alarms : {0.02, 0.05, 0.1, 0.2}) {
      const DetectionSummary summary = summary_of(trials, known, false_alarms);
      for (std::size_t i = 0; 2 * i < summary.rates.size(); ++i) {
        const DetectionRate& whole = summary.rates[i];
        const DetectionRate& above = summary.rates[i + summary.rates.size() / 2];
        table.add({std::string(make_name(known)), fmt::format("{}", summary.healthy),
                   fmt::format("{:.0f} %", 100 * false_alarms),
                   fmt::format("{:.2f}", summary.threshold),
                   fmt::format("{:.1f} x", whole.fault.factor),
                   fmt::format("{:.0f} %", 100 * whole.found),
                   fmt::format("{:.0f} %", 100 * above.found)});
      }
    }
    areas += fmt::format("{}{} make {:.3f}", areas.empty() ? "" : ", ", make_name(known),
                         summary_of(trials, known, 0.05).area);
  }
  return table.render() +
         fmt::format(
             "area under the curve of false alarms and finds at 2 x: {}\n"
             "share of tables that are found when slowed, at the deviations that so many "
             "healthy ones pass;\n`tofn collective --check` asks for {:.1f} and {:.1f}; "
             "make: its cluster, of which other tables taught or none did\n",
             areas, alarm_deviations(true), alarm_deviations(false));
}

Records detection_records(const std::vector<DetectionTrial>& trials) {
  using Row = DetectionTrial;
  const Columns<Row> columns{
      {"file", [](const Row& row) { return std::string(row.file); }},
      {"make", [](const Row& row) { return std::string(make_name(row.make_is_known)); }},
      {"factor", [](const Row& row) { return row.fault.factor; }},
      {"above_a_size", [](const Row& row) { return row.fault.is_above_a_size; }},
      {"deviations", &Row::deviations}};
  return records_of(columns, trials);
}

}  // namespace report
}  // namespace tofn
