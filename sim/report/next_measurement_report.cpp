#include "sim/report/next_measurement_report.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/notes.hpp"

namespace tofn {
inline namespace report {
namespace {

/// Columns of a measurement, with `gained`, what it is made for, amid them.
TableColumns<Measurement> columns_with(TableColumns<Measurement> gained, std::string_view purpose) {
  const auto taken = [](double hours) {
    return hours > 0 ? short_figure(hours) : std::string("at hand");
  };
  TableColumns<Measurement> all{
      {"measurement", [](const Measurement& each) { return each.name; }, left("next measurement"),
       purpose},
      {"accelerator_hours", [](const Measurement& each) { return each.accelerator_hours; },
       right("acc.-hours", taken),
       "accelerator-hours that the measurement takes: five minutes of start-up and 20 steps, ten "
       "minutes of collectives, or a whole run; 0 if it is a log that exists already"}};
  std::move(gained.begin(), gained.end(), std::back_inserter(all));
  all.push_back({"is_a_bound", [](const Measurement& each) { return each.is_a_bound; },
                 "true if the measurement is assumed to remove its uncertainties entirely"});
  const auto command = [](const Measurement& each) {
    return each.plan.empty() ? each.command : each.command + ' ' + each.plan;
  };
  all.push_back({"command", command,
                 left("stated by", [](const Measurement& each) { return each.command; }),
                 "command that makes the measurement, or states its result"});
  return all;
}

/// Notes of the options that state the plans of measured steps, once for each plan.
std::string plans_text(const std::vector<Measurement>& measurements) {
  std::string text;
  std::set<std::string> told{""};
  for (const Measurement& each : measurements)
    if (told.insert(each.plan).second)
      text += note("plan", fmt::format("beside {}: {}", each.command, each.plan));
  return text;
}

/// Text such as `at best 23.4 %`, of a per cent that a measurement leaves or gives.
template <class Percent>
auto bounded(Percent percent) {
  return [=](const Measurement& each) {
    return fmt::format("{}{:.3g} %", each.is_a_bound ? "at best " : "", percent(each));
  };
}

TableColumns<Measurement> measurement_columns() {
  const auto width = [](const Measurement& each) { return 100 * half_width(each.deviation); };
  return columns_with(
      {{"half_width_after_percent", width, right("leaves +-", bounded(width)),
        "half of the 90 % interval of the time, or of the cost, that the measurement would leave"}},
      "measurement that would narrow the range of the time, or of the cost");
}

TableColumns<Measurement> choice_columns(const ChoiceUncertainty& of) {
  const auto chance = [&](const Measurement& each) { return of.chance_after(each); };
  return columns_with(
      {{"chance_today", [&](const Measurement&) { return of.chance(); },
        "chance that the best run is rightly preferred to its runner-up, alike in all rows"},
       {"chance_after", chance,
        right("right choice", bounded([=](const Measurement& each) { return 100 * chance(each); })),
        "chance that the one of both runs chosen after the measurement is the right one"}},
      "measurement that would make the choice between the best run and its runner-up surer");
}

}  // namespace

std::string next_measurement_text(const TimeUncertainties& of) {
  if (of.next.empty()) return "\n" + note("next", "no measurement would narrow the range");
  return "\n" + table_text(measurement_columns(), of.next) + plans_text(of.next) +
         note("today", fmt::format("+- {:.3g} %, the upper half of the 90 % range",
                                   100 * half_width(of.deviation)));
}

ExplainedRecords next_measurement_records(const TimeUncertainties& of) {
  return records_of(measurement_columns(), of.next);
}

std::string choice_measurement_text(const ChoiceUncertainty* of) {
  if (of == nullptr)
    return "\n" + note("next", "no measurement would change the choice, which has no runner-up");
  const std::string today = fmt::format(
      "{:.3g} % chance that the best is rightly preferred to the runner-up, which is {:.3g} % more "
      "in the median, +- {:.3g} %",
      100 * of->chance(), 100 * std::expm1(of->logarithm), 100 * half_width(of->deviation));
  if (of->next.empty())
    return "\n" +
           note("next", "no single measurement would make the choice surer by half a per cent") +
           note("today", today);
  return "\n" + table_text(choice_columns(*of), of->next) + plans_text(of->next) +
         note("today", today);
}

ExplainedRecords choice_measurement_records(const ChoiceUncertainty& of) {
  return records_of(choice_columns(of), of.next);
}

}  // namespace report
}  // namespace tofn
