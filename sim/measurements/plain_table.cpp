// Tables as pages publish them: markdown, or words in columns.
#include <algorithm>
#include <cmath>

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

struct Column {
  std::string title;
  Meaning meaning = Meaning::Unknown;
  double scale = 1;  ///< seconds of one unit of a time
};

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
  column.scale = has(name, "(ms)") || has(name, "_ms") ? 1e-3
                 : has(name, "(s)") || has(name, "_s") ? 1.0
                                                       : 1e-6;
  return column;
}

/// The columns of a title row: one cell says size, another time or bandwidth; or nothing.
std::vector<Column> columns_of(const std::vector<LogWord>& cells) {
  std::vector<Column> columns;
  for (const LogWord& cell : cells)
    if (!cell.text.empty()) columns.push_back(column_of(cell.text));
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
    throw InputError(log.location(line), shortened(column.title),
                     "is no column that is read: a size with time (us), algbw or busbw");
  }
  const bool is_measured = std::any_of(columns.begin(), columns.end(), [](const Column& column) {
    return column.meaning != Meaning::Size;
  });
  if (!is_measured)
    throw InputError(log.location(line), {}, "a table needs a time, algbw or busbw beside sizes");
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
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const LogWord cell{without_unit(cells[i].text), cells[i].column};
      const Meaning meaning = columns_[i].meaning;
      if (meaning == Meaning::Size) {
        row.size = size_at(line, cell);
        continue;
      }
      const double value = number_at(log_, line, cell, columns_[i].title);
      if (meaning == Meaning::Time) row.out_of_place = Seconds{value * columns_[i].scale};
      if (meaning == Meaning::AlgorithmBandwidth) algorithm = cell.text;
      if (meaning == Meaning::BusBandwidth) bus = cell.text;
    }
    row.bandwidths = printed_bandwidths(algorithm, bus);
    return row;
  }

  double size_at(const LogLine& line, const LogWord& cell) {
    const auto size = parse_printed_size(cell.text);
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
