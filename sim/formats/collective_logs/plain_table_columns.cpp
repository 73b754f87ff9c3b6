#include "sim/formats/collective_logs/plain_table_columns.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/utf8.hpp"
#include "sim/core/words.hpp"
#include "sim/formats/collective_logs/logged_table.hpp"

namespace tofn {
inline namespace formats {
namespace {

struct Unit {
  std::string_view name;
  double scale;  ///< in bytes, seconds or GB/s
};
constexpr std::array units_of_size{
    Unit{"B", 1},         Unit{"bytes", 1},     Unit{"byte", 1},
    Unit{"KB", 1e3},      Unit{"MB", 1e6},      Unit{"GB", 1e9},
    Unit{"KiB", 1 << 10}, Unit{"MiB", 1 << 20}, Unit{"GiB", 1 << 30}};
constexpr std::array units_of_time{Unit{"us", 1e-6},
                                   Unit{"usec", 1e-6},
                                   Unit{"\u00b5s", 1e-6},
                                   Unit{"\u03bcs", 1e-6},
                                   Unit{"ms", 1e-3},
                                   Unit{"msec", 1e-3},
                                   Unit{"s", 1},
                                   Unit{"sec", 1},
                                   Unit{"ns", 1e-9},
                                   Unit{"microseconds", 1e-6},
                                   Unit{"milliseconds", 1e-3},
                                   Unit{"seconds", 1}};
constexpr std::array units_of_bandwidth{Unit{"GB/s", 1},
                                        Unit{"GBps", 1},
                                        Unit{"MB/s", 1e-3},
                                        Unit{"GiB/s", 1.073741824},
                                        Unit{"MiB/s", 1.048576e-3},
                                        Unit{"Gb/s", 0.125},
                                        Unit{"Gbit/s", 0.125},
                                        Unit{"Gbps", 0.125},
                                        Unit{"TB/s", 1e3}};

/// Columns without a time or bandwidth, in the names of nccl-tests and rccl-tests.
constexpr std::array<std::string_view, 10> passed_over{
    "count", "type", "redop", "root", "error", "#wrong", "iterations", "tmin", "tmax", "dtype"};

/// Returns the units of a quantity.
std::span<const Unit> units_of(Meaning meaning) {
  if (meaning == Meaning::PassedOver) return {};
  if (meaning == Meaning::Size) return units_of_size;
  if (meaning == Meaning::Time) return units_of_time;
  return units_of_bandwidth;
}

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Returns the unit of that name; nullptr if unknown. `Gb/s` differs from `GB/s`; sizes and times
/// may be in any case.
const Unit* unit_named(Meaning meaning, std::string_view name) {
  const bool is_exact = meaning != Meaning::Size && meaning != Meaning::Time;
  for (const Unit& each : units_of(meaning))
    if (is_exact ? each.name == name : lower_case(each.name) == lower_case(name)) return &each;
  return nullptr;
}

/// True for words in brackets that are not a unit: `out-of-place`, `avg`.
bool is_qualifier(std::string_view word) {
  return has(word, "place") || is_any_of(word, {"avg", "average", "mean", "median", "min", "max"});
}

/// Returns the unit in `busbw (GB/s)`, `Time/ms`, `time [us]`, `Time ms`, `time_us` and
/// `microseconds`; empty if the title has none.
std::string_view unit_in(std::string_view title, Meaning meaning) {
  if (unit_named(meaning, title) != nullptr) return title;
  for (const auto& [open, close] : {std::pair{'(', ')'}, std::pair{'[', ']'}}) {
    const std::size_t start = title.find(open);
    const std::size_t end = title.find(close, std::min(start, title.size()));
    if (end == std::string_view::npos) continue;
    const std::string_view inside = trimmed(title.substr(start + 1, end - start - 1));
    return is_qualifier(lower_case(inside)) ? std::string_view{} : inside;
  }
  for (std::size_t at = title.size(); at-- > 0;)
    if (std::string_view(" /_,").find(title[at]) != std::string_view::npos &&
        unit_named(meaning, title.substr(at + 1)) != nullptr)
      return title.substr(at + 1);
  return {};
}

/// Returns `tmin` for `tmin(usec)`.
std::string_view without_unit(std::string_view title) {
  return trimmed(title.substr(0, title.find_first_of("([")));
}

PlainColumn column_of(std::string_view title) {
  const std::string name = lower_case(title);
  PlainColumn column{.title = std::string(title)};
  if (has(name, "busbw") || has(name, "bus bandwidth"))
    column.meaning = Meaning::BusBandwidth;
  else if (has(name, "algbw") || has(name, "algorithm bandwidth"))
    column.meaning = Meaning::AlgorithmBandwidth;
  else if (has(name, "time") || has(name, "latency") || has(name, "tavg") ||
           unit_named(Meaning::Time, title) != nullptr)
    column.meaning = Meaning::Time;
  else if (has(name, "size") || has(name, "payload") || has(name, "bytes"))
    column.meaning = Meaning::Size;
  else if (is_any_of(without_unit(name), passed_over))
    column.meaning = Meaning::PassedOver;
  if (column.meaning == Meaning::Unknown || column.meaning == Meaning::PassedOver) return column;
  const std::string_view unit = unit_in(title, column.meaning);
  const Unit* const found = unit_named(column.meaning, unit);
  column.has_known_unit = unit.empty() || found != nullptr;
  column.scale = units_of(column.meaning).front().scale;
  if (found != nullptr) column.unit = found->name, column.scale = found->scale;
  return column;
}

bool is_cut_row(const std::vector<LogWord>& words) {
  if (words.size() != 4) return false;
  const auto size = parse_printed_size(words[0].text);
  double time = 0;
  double algorithm = 0;
  double bus = 0;
  if (!size || !parse_number(words[1].text, time) || !parse_number(words[2].text, algorithm) ||
      !parse_number(words[3].text, bus) || time <= 0)
    return false;
  constexpr double rounding = 0.01;
  const double expected = size->bytes / time * 1e-3;
  return std::abs(expected - algorithm) <= rounding * (1 + expected);
}

std::string names_of(std::span<const Unit> units) {
  std::vector<std::string> names;
  for (const Unit& each : units) names.emplace_back(each.name);
  return list_text(names, "or");
}

/// InputError if a unit is unknown, or if two columns have the same quantity.
void check_columns(const LogText& log, const LogLine& line,
                   const std::vector<PlainColumn>& columns) {
  for (auto column = columns.begin(); column != columns.end(); ++column) {
    if (!column->has_known_unit)
      throw InputError(
          log.location(line, {column->title, column->place}), shortened(column->title),
          fmt::format("has a unit that is not read: {}", names_of(units_of(column->meaning))));
    const auto same = std::find_if(columns.begin(), column, [&](const PlainColumn& each) {
      return each.meaning == column->meaning && each.meaning != Meaning::PassedOver;
    });
    if (same != column)
      throw InputError(log.location(line, {column->title, column->place}), shortened(column->title),
                       fmt::format("is a second column of what '{}' says: leave one of them",
                                   shortened(same->title)));
  }
}

}  // namespace

char separator_of(const LogLine& line) {
  for (const char each : {'|', ',', ';'})
    if (line.text.find(each) != std::string_view::npos) return each;
  return ' ';
}

std::vector<LogWord> cells_of(const LogLine& line, char separator) {
  if (separator == ' ') return line.words();
  std::vector<LogWord> cells;
  std::string_view rest = trimmed(line.text);
  if (rest.starts_with('#')) rest.remove_prefix(1);
  if (rest.starts_with('|')) rest.remove_prefix(1);
  while (!trimmed(rest).empty()) {
    const std::size_t end = std::min(rest.find(separator), rest.size());
    const std::string_view cell = trimmed(rest.substr(0, end));
    const auto before = static_cast<std::size_t>(rest.data() - line.text.data());
    const auto blanks = cell.empty() ? 0 : static_cast<std::size_t>(cell.data() - rest.data());
    const auto column = static_cast<int>(character_count(line.text.substr(0, before + blanks)));
    cells.push_back({cell, line.column + column});
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return cells;
}

bool are_all_measures(const std::vector<PlainColumn>& columns) {
  return std::ranges::none_of(columns, [](const PlainColumn& column) {
    return column.meaning == Meaning::Unknown || column.meaning == Meaning::PassedOver;
  });
}

bool is_of_no_unit(const PlainColumn& time, const std::vector<PlainColumn>& columns) {
  return time.meaning == Meaning::Time && time.unit.empty() &&
         std::ranges::none_of(columns, [](const PlainColumn& column) {
           return column.meaning == Meaning::AlgorithmBandwidth ||
                  column.meaning == Meaning::BusBandwidth;
         });
}

std::vector<PlainColumn> columns_of_titles(const std::vector<LogWord>& cells) {
  std::vector<PlainColumn> columns;
  for (const LogWord& cell : cells)
    if (!cell.text.empty()) {
      columns.push_back(column_of(cell.text));
      columns.back().place = cell.column;
    }
  const bool has_size = std::ranges::any_of(
      columns, [](const PlainColumn& column) { return column.meaning == Meaning::Size; });
  const bool is_titles = std::ranges::none_of(cells, [](const LogWord& cell) {
    return parse_printed_size(cell.text) || cell.text.find_first_of("=:") != std::string_view::npos;
  });
  if (!has_size || !is_titles || columns.size() < 2) columns.clear();
  return columns;
}

std::vector<PlainColumn> columns_of_cut_row(const std::vector<LogWord>& cells) {
  if (!is_cut_row(cells)) return {};
  return {column_of("size"), column_of("time"), column_of("algbw"), column_of("busbw")};
}

void settle(const LogText& log, const LogLine& line, std::vector<PlainColumn>& columns) {
  for (PlainColumn& column : columns) {
    if (column.meaning != Meaning::Unknown) continue;
    const bool page_says = std::ranges::any_of(log.lines, [](const LogLine& each) {
      return each.is_comment() && has(lower_case(each.text), "busbw");
    });
    if (columns.size() == 2 && page_says && has(column.title, "GB/s")) {
      column.meaning = Meaning::BusBandwidth;
      continue;
    }
    throw InputError(log.location(line, {column.title, column.place}), shortened(column.title),
                     fmt::format("is no column that is read: a size with time (us), tavg, algbw or "
                                 "busbw; passed over are {}",
                                 fmt::join(passed_over, ", ")));
  }
  const bool is_measured = std::ranges::any_of(columns, [](const PlainColumn& column) {
    return column.meaning != Meaning::Size && column.meaning != Meaning::PassedOver;
  });
  if (!is_measured)
    throw InputError(log.location(line), {}, "a table needs a time, algbw or busbw beside sizes");
  check_columns(log, line, columns);
}

PlainValue value_in(const LogWord& cell, const PlainColumn& column) {
  const std::size_t end = cell.text.find_last_of("0123456789.") + 1;
  const Unit* const own = unit_named(column.meaning, trimmed(cell.text.substr(end)));
  if (own == nullptr) return {cell, column.scale};
  return {{cell.text.substr(0, end), cell.column}, own->scale, true};
}

}  // namespace formats
}  // namespace tofn
