#include "sim/app/run_limits.hpp"

#include <array>

#include <fmt/format.h>

#include "sim/app/job_kinds.hpp"
#include "sim/core/count_text.hpp"
#include "sim/core/date.hpp"
#include "sim/core/dollars.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/options/option_values.hpp"

namespace tofn {
inline namespace app {
namespace {

constexpr double seconds_per_day = 86400;

RunLimit with(RunLimit limit, double most) {
  limit.most = most;
  return limit;
}

/// Reads a deadline in days: a date, counted from today, or the longest duration of the run. Absent
/// if the text is neither; InputError if the date has passed.
std::optional<RunLimit> deadline(const RunLimit& limit, const std::string& text) {
  const auto date = parse_date(text);
  if (!date) {
    double ignored = 0;
    // A bare number is refused, because it could be hours as well as days.
    if (parse_number(text, ignored) || text.empty()) return {};
    try {
      const auto time = parse_quantity<Seconds>(with_space_before_unit(text));
      if (time > Seconds(0)) return with(limit, time.base() / seconds_per_day);
    } catch (const std::invalid_argument&) {  // the caller lists the valid forms
    }
    return {};
  }
  const auto now = today();
  if (*date <= now)
    throw InputError({}, fmt::format("--{}", limit.name),
                     fmt::format("must be after today, {}, got '{}'", date_text(now), text));
  RunLimit until = with(limit, static_cast<double>((*date - now).count()));
  until.dates = fmt::format("{} to {}", date_text(now), date_text(*date));
  return until;
}

std::optional<RunLimit> budget(const RunLimit& limit, const std::string& text) {
  const auto dollars = parse_dollars(text);
  if (!dollars) return {};
  return with(limit, *dollars);
}

struct CountedUnit {
  std::string_view name;  ///< empty for a bare number
  double factor;
};

std::optional<RunLimit> in_units(const RunLimit& limit, std::span<const CountedUnit> units,
                                 std::string_view text) {
  for (const auto& [unit, factor] : units) {
    if (!text.ends_with(unit)) continue;
    std::string_view number = text.substr(0, text.size() - unit.size());
    while (number.ends_with(' ')) number.remove_suffix(1);
    if (const auto count = parse_count(number); count && *count > 0)
      return with(limit, *count * factor);
  }
  return {};
}

std::optional<RunLimit> energy(const RunLimit& limit, const std::string& text) {
  static constexpr std::array<CountedUnit, 4> units{
      {{"kWh", 1}, {"MWh", 1e3}, {"GWh", 1e6}, {"", 1}}};
  return in_units(limit, units, text);
}

std::optional<RunLimit> carbon(const RunLimit& limit, const std::string& text) {
  static constexpr std::array<CountedUnit, 2> units{{{"t", 1}, {"", 1}}};
  return in_units(limit, units, text);
}

/// Option of a limit, the figure that it limits, and the reader of its value in that figure's unit.
struct RequestedLimit {
  AnyOption option;
  double RunFigures::*figure;
  std::string_view expected;  ///< text after `expected ` in the error message
  std::optional<RunLimit> (*read)(const RunLimit&, const std::string& text);
};

constexpr std::array requested_limits{
    RequestedLimit{
        {"deadline", "the run may take, e.g. 20d, '3 weeks', or a date: 2027-03-01"},
        &RunFigures::days,
        "a date such as 2027-03-01, or how long the run may take, such as 20d, '3 weeks' or 500h",
        deadline},
    RequestedLimit{{"budget", "US dollars it may cost, e.g. 500k or '$1.5M'"},
                   &RunFigures::usd,
                   "US dollars above 0, such as 500k, '$2M' or '1.5M USD'",
                   budget},
    RequestedLimit{{"energy", "kWh it may take, e.g. 2M"},
                   &RunFigures::kilowatt_hours,
                   "kWh above 0, such as 500k, 2M or '2 GWh'",
                   energy},
    RequestedLimit{{"carbon", "t CO2e it may emit, e.g. 200"},
                   &RunFigures::co2_tonnes,
                   "t CO2e above 0, such as 200 or '200 t'",
                   carbon}};

}  // namespace

CommandOptions limit_rows() {
  CommandOptions rows;
  for (const RequestedLimit& each : requested_limits)
    rows.push_back({&each.option, workload_predicted | model_predicted | rl_predicted});
  return rows;
}

void refuse_of_whole_runs(const options::variables_map& values, const CommandOptions& rows) {
  for (const CommandOption& row : rows)
    if (row.option->is_given(values))
      throw InputError({}, row.option->flag(), "is of a whole run: ask `tofn predict`");
}

std::vector<RunLimit> limits_of(const options::variables_map& values) {
  std::vector<RunLimit> limits;
  for (const RequestedLimit& each : requested_limits) {
    const auto text = each.option.text(values);
    if (!text) continue;
    const auto limit = each.read({.name = each.option.name, .figure = each.figure}, *text);
    if (!limit)
      throw InputError({}, each.option.flag(),
                       fmt::format("expected {}, got '{}'", each.expected, shortened(*text)));
    limits.push_back(*limit);
  }
  return limits;
}

std::vector<RunLimit> answerable_limits(const options::variables_map& values,
                                        const Cluster& cluster, const ExpenseOptions& expenses) {
  std::vector<RunLimit> limits = limits_of(values);
  if (choose_price(cluster, expenses)) return limits;
  for (const RunLimit& limit : limits)
    if (limit.figure == &RunFigures::usd)
      throw InputError({}, fmt::format("--{}", limit.name), unpriced_words(cluster, expenses));
  return limits;
}

}  // namespace app
}  // namespace tofn
