// Tables as pages publish them: markdown, or words in columns.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/measurements/log_format.hpp"
#include "sim/measurements/log_text.hpp"

namespace tofn {
inline namespace measurements {
namespace {

enum class Meaning { Size, Time, AlgorithmBandwidth, BusBandwidth, Unknown };

struct Unit {
  std::string_view name;
  double scale;  ///< in bytes, seconds or GB/s
};
constexpr std::array units_of_size{
    Unit{"B", 1},         Unit{"bytes", 1},     Unit{"byte", 1},
    Unit{"KB", 1e3},      Unit{"MB", 1e6},      Unit{"GB", 1e9},
    Unit{"KiB", 1 << 10}, Unit{"MiB", 1 << 20}, Unit{"GiB", 1 << 30}};
constexpr std::array units_of_time{Unit{"us", 1e-6}, Unit{"usec", 1e-6}, Unit{"\u00b5s", 1e-6},
                                   Unit{"ms", 1e-3}, Unit{"msec", 1e-3}, Unit{"s", 1},
                                   Unit{"sec", 1},   Unit{"ns", 1e-9}};
constexpr std::array units_of_bandwidth{Unit{"GB/s", 1},
                                        Unit{"GBps", 1},
                                        Unit{"MB/s", 1e-3},
                                        Unit{"GiB/s", 1.073741824},
                                        Unit{"MiB/s", 1.048576e-3},
                                        Unit{"Gb/s", 0.125},
                                        Unit{"Gbit/s", 0.125},
                                        Unit{"Gbps", 0.125},
                                        Unit{"TB/s", 1e3}};

struct Column {
  std::string title;
  Meaning meaning = Meaning::Unknown;
  std::string_view unit{};  ///< as the title has it
  double scale = 1;         ///< seconds or GB/s of one unit
  bool has_known_unit = true;
  int place = 0;  ///< of its title in the line
};

/// nccl-tests' own where the title states none.
std::span<const Unit> units_of(Meaning meaning) {
  if (meaning == Meaning::Size) return units_of_size;
  if (meaning == Meaning::Time) return units_of_time;
  return units_of_bandwidth;
}

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// The cells of `| 8M | 89.99 |`, or the words of a line without bars.
std::vector<LogWord> cells_of(const LogLine& line) {
  std::vector<LogWord> words = line.words();
  if (!has(line.text, "|")) return words;
  std::vector<LogWord> cells;
  std::string_view rest = trimmed(line.text);
  if (rest.starts_with('|')) rest.remove_prefix(1);
  while (!trimmed(rest).empty()) {
    const std::size_t bar = std::min(rest.find('|'), rest.size());
    const std::string_view cell = trimmed(rest.substr(0, bar));
    const auto same = std::find_if(words.begin(), words.end(), [&](const LogWord& word) {
      return !cell.empty() && word.text.data() == cell.data();
    });
    cells.push_back({cell, same == words.end() ? 0 : same->column});
    rest.remove_prefix(std::min(bar + 1, rest.size()));
  }
  return cells;
}

/// nullptr where none is called so. `Gb/s` is no `GB/s`; sizes and times may be in any case.
const Unit* unit_named(Meaning meaning, std::string_view name) {
  const bool is_exact = meaning != Meaning::Size && meaning != Meaning::Time;
  for (const Unit& each : units_of(meaning))
    if (is_exact ? each.name == name : lower_case(each.name) == lower_case(name)) return &each;
  return nullptr;
}

/// `out-of-place`, `avg`: words in brackets that are no unit.
bool is_qualifier(std::string_view word) {
  constexpr std::array<std::string_view, 6> statistics{"avg",    "average", "mean",
                                                       "median", "min",     "max"};
  return has(word, "place") ||
         std::find(statistics.begin(), statistics.end(), word) != statistics.end();
}

/// Of `busbw (GB/s)`, `Time/ms`, `time [us]`, `Time ms` and `time_us` the unit; empty where the
/// title has none.
std::string_view unit_in(std::string_view title, Meaning meaning) {
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

Column column_of(std::string_view title) {
  const std::string name = lower_case(title);
  Column column{.title = std::string(title)};
  if (has(name, "busbw") || has(name, "bus bandwidth"))
    column.meaning = Meaning::BusBandwidth;
  else if (has(name, "algbw") || has(name, "algorithm bandwidth"))
    column.meaning = Meaning::AlgorithmBandwidth;
  else if (has(name, "time") || has(name, "latency"))
    column.meaning = Meaning::Time;
  else if (has(name, "size") || has(name, "payload") || has(name, "bytes"))
    column.meaning = Meaning::Size;
  if (column.meaning == Meaning::Unknown) return column;
  const std::string_view unit = unit_in(title, column.meaning);
  const Unit* const found = unit_named(column.meaning, unit);
  column.has_known_unit = unit.empty() || found != nullptr;
  column.scale = units_of(column.meaning).front().scale;
  if (found != nullptr) column.unit = found->name, column.scale = found->scale;
  return column;
}

/// The columns of a title row: one cell says size, another time or bandwidth; or nothing.
std::vector<Column> columns_of(const std::vector<LogWord>& cells) {
  std::vector<Column> columns;
  for (const LogWord& cell : cells)
    if (!cell.text.empty()) {
      columns.push_back(column_of(cell.text));
      columns.back().place = cell.column;
    }
  const bool has_size = std::any_of(columns.begin(), columns.end(), [](const Column& column) {
    return column.meaning == Meaning::Size;
  });
  const bool is_titles = std::none_of(cells.begin(), cells.end(), [](const LogWord& cell) {
    return parse_printed_size(cell.text) || cell.text.find_first_of("=:") != std::string_view::npos;
  });
  if (!has_size || !is_titles || columns.size() < 2) columns.clear();
  return columns;
}

/// `size time algbw busbw` without titles, as nccl-tests' rows are cut for a page: the third is
/// the first over the second.
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

std::vector<Column> cut_columns() {
  return {column_of("size"), column_of("time"), column_of("algbw"), column_of("busbw")};
}

bool is_rule(const LogLine& line) {
  return line.text.find_first_not_of(" \t\r|-:=+") == std::string_view::npos;
}

std::string names_of(std::span<const Unit> units) {
  std::vector<std::string> names;
  for (const Unit& each : units) names.emplace_back(each.name);
  return list_text(names, "or");
}

/// InputError for a unit that is not known, and where two columns say the same quantity.
void check_columns(const LogText& log, const LogLine& line, const std::vector<Column>& columns) {
  for (auto column = columns.begin(); column != columns.end(); ++column) {
    if (!column->has_known_unit)
      throw InputError(
          log.location(line, {column->title, column->place}), shortened(column->title),
          fmt::format("has a unit that is not read: {}", names_of(units_of(column->meaning))));
    const auto same = std::find_if(columns.begin(), column, [&](const Column& each) {
      return each.meaning == column->meaning;
    });
    if (same != column)
      throw InputError(log.location(line, {column->title, column->place}), shortened(column->title),
                       fmt::format("is a second column of what '{}' says: leave one of them",
                                   shortened(same->title)));
  }
}

/// A single bandwidth whose title does not say which is what the page's own words say it is.
void settle_bandwidth(const LogText& log, const LogLine& line, std::vector<Column>& columns) {
  for (Column& column : columns) {
    if (column.meaning != Meaning::Unknown) continue;
    const bool page_says = std::any_of(log.lines.begin(), log.lines.end(), [](const LogLine& each) {
      return each.is_comment() && has(lower_case(each.text), "busbw");
    });
    if (columns.size() == 2 && page_says && has(column.title, "GB/s")) {
      column.meaning = Meaning::BusBandwidth;
      continue;
    }
    throw InputError(log.location(line, {column.title, column.place}), shortened(column.title),
                     "is no column that is read: a size with time (us), algbw or busbw");
  }
  const bool is_measured = std::any_of(columns.begin(), columns.end(), [](const Column& column) {
    return column.meaning != Meaning::Size;
  });
  if (!is_measured)
    throw InputError(log.location(line), {}, "a table needs a time, algbw or busbw beside sizes");
  check_columns(log, line, columns);
}

/// `1.44GBps`, `0.82 GB/s`, `1.37`
std::string_view without_unit(std::string_view text) {
  for (const std::string_view unit : {"GBps", "GB/s", "us"})
    if (text.ends_with(unit)) return trimmed(text.substr(0, text.size() - unit.size()));
  return text;
}

class PlainTableReader {
 public:
  explicit PlainTableReader(const LogText& log) : log_(log) {}

  LoggedTables read() {
    for (const LogLine& line : log_.lines) {
      if (line.is_comment() || is_rule(line)) continue;
      take(line, cells_of(line));
    }
    if (assumed_ > 0)
      read_.remarks.push_back(log_.remark(
          read_.tables.front().line,
          "sizes such as 65K or 8M are taken as the power of two that they round (within 2 %)"));
    return std::move(read_);
  }

 private:
  void take(const LogLine& line, const std::vector<LogWord>& cells) {
    std::vector<Column> columns = columns_of(cells);
    if (columns.empty() && columns_.empty() && is_cut_row(cells)) {
      begin(line, cut_columns());
    } else if (!columns.empty()) {
      settle_bandwidth(log_, line, columns);
      return begin(line, std::move(columns));
    }
    if (columns_.empty() || cells.empty() || !is_row(cells)) return;
    read_.tables.back().rows.push_back(row_of(line, cells));
  }

  static bool is_row(const std::vector<LogWord>& cells) {
    const std::string_view first = cells[0].text;
    return !first.empty() && first.front() >= '0' && first.front() <= '9';
  }

  void begin(const LogLine& line, std::vector<Column> columns) {
    columns_ = std::move(columns);
    LoggedTable table{.tool = "table", .line = line};
    table.bandwidth_is_in_place = std::any_of(
        log_.lines.begin(), log_.lines.end(),
        [](const LogLine& each) { return each.is_comment() && has(each.text, "in-place"); });
    read_.tables.push_back(std::move(table));
  }

  LoggedRow row_of(const LogLine& line, const std::vector<LogWord>& cells) {
    if (cells.size() < columns_.size())
      throw InputError(log_.location(line), {},
                       fmt::format("the row has {} cells, its table has {} columns", cells.size(),
                                   columns_.size()));
    LoggedRow row{.line = line};
    std::string_view algorithm = "0";
    std::string_view bus = "0";
    double algorithm_scale = 1;
    double bus_scale = 1;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const LogWord cell{without_unit(cells[i].text), cells[i].column};
      const Meaning meaning = columns_[i].meaning;
      if (meaning == Meaning::Size) {
        row.size = size_at(line, cell, columns_[i].unit);
        continue;
      }
      const double value = number_at(log_, line, cell, columns_[i].title);
      if (meaning == Meaning::Time) row.out_of_place = Seconds{value * columns_[i].scale};
      if (meaning == Meaning::AlgorithmBandwidth)
        algorithm = cell.text, algorithm_scale = columns_[i].scale;
      if (meaning == Meaning::BusBandwidth) bus = cell.text, bus_scale = columns_[i].scale;
    }
    row.bandwidths = printed_bandwidths(algorithm, bus);
    if (row.bandwidths) {
      row.bandwidths->algorithm *= algorithm_scale;
      row.bandwidths->algorithm_step *= algorithm_scale;
      row.bandwidths->bus *= bus_scale;
      row.bandwidths->bus_step *= bus_scale;
    }
    return row;
  }

  /// `8M`, or of a column in MB `8`.
  double size_at(const LogLine& line, const LogWord& cell, std::string_view unit) {
    const bool is_bare =
        is_whole_number(cell.text) && unit.size() > 1 && unit != "bytes" && unit != "byte";
    const std::string letters(is_bare ? unit.ends_with("iB") ? unit : unit.substr(0, 1) : "");
    const auto size = parse_printed_size(std::string(cell.text) + letters);
    if (!size)
      throw InputError(log_.location(line, cell), "size",
                       "must be like 1024, 32_768, 64KiB or 8M, is '" + shortened(cell.text) + "'");
    if (size->is_assumed) ++assumed_;
    return size->bytes;
  }

  const LogText& log_;
  LoggedTables read_;
  std::vector<Column> columns_;
  int assumed_ = 0;
};

}  // namespace

bool is_plain_table(const LogText& log) {
  return std::any_of(log.lines.begin(), log.lines.end(), [](const LogLine& line) {
    if (line.is_comment()) return false;
    const std::vector<LogWord> cells = cells_of(line);
    return !columns_of(cells).empty() || is_cut_row(cells);
  });
}

LoggedTables read_plain_table(const LogText& log) { return PlainTableReader(log).read(); }

}  // namespace measurements
}  // namespace tofn
