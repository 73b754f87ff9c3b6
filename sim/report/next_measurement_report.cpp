#include "sim/report/next_measurement_report.hpp"

#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/notes.hpp"

namespace tofn {
inline namespace report {
namespace {

TableColumns<Measurement> measurement_columns() {
  const auto taken = [](double hours) {
    return hours > 0 ? short_figure(hours) : std::string("exists");
  };
  const auto width = [](const Measurement& each) { return 100 * half_width(each.deviation); };
  const auto left_text = [=](const Measurement& each) {
    return fmt::format("{}{:.3g} %", each.is_a_bound ? "at best " : "", width(each));
  };
  return {
      {"measurement", [](const Measurement& each) { return each.name; }, left("next measurement"),
       "that would narrow the range of the time, or of the cost"},
      {"accelerator_hours", [](const Measurement& each) { return each.accelerator_hours; },
       right("acc.-hours", taken),
       "that it takes: five minutes of start-up and 20 steps, ten minutes of collectives, or a "
       "whole run; 0 if it is a log that exists already"},
      {"half_width_after_percent", width, right("leaves +-", left_text),
       "half of the 90 % interval of the time, or of the cost, that the measurement would leave"},
      {"is_a_bound", [](const Measurement& each) { return each.is_a_bound; },
       "true if the measurement is assumed to remove its uncertainties entirely"},
      {"command", [](const Measurement& each) { return each.command; }, left("stated by"),
       "how it is made, or how its result is stated"}};
}

}  // namespace

std::string next_measurement_text(const TimeUncertainties& of) {
  if (of.next.empty()) return "\n" + note("next", "no measurement would narrow the range");
  return "\n" + table_text(measurement_columns(), of.next) +
         note("today", fmt::format("+- {:.3g} %, the upper half of the 90 % range",
                                   100 * half_width(of.deviation)));
}

ExplainedRecords next_measurement_records(const TimeUncertainties& of) {
  return records_of(measurement_columns(), of.next);
}

}  // namespace report
}  // namespace tofn
