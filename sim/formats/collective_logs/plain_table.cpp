// Tables as web pages publish them: markdown, words in columns, or cells between commas.
#include <algorithm>

#include <fmt/format.h>

#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/formats/collective_logs/log_format.hpp"
#include "sim/formats/collective_logs/plain_table_columns.hpp"

namespace tofn {
inline namespace formats {
namespace {

bool is_rule(const LogLine& line) {
  return line.text.find_first_not_of(" \t\r|-:=+") == std::string_view::npos;
}

bool is_row(const std::vector<LogWord>& cells) {
  return !cells.empty() && !cells[0].text.empty() && is_digit(cells[0].text.front());
}

/// True if the next line that is no comment is a row with the same number of cells.
bool is_head_of_rows(const LogText& log, const LogLine& line, std::size_t cells) {
  const auto next = std::ranges::find_if(log.lines, [&](const LogLine& each) {
    return each.number > line.number && !each.is_comment() && !is_rule(each);
  });
  if (next == log.lines.end()) return false;
  const auto row = cells_of(*next, separator_of(line));
  return is_row(row) && row.size() == cells;
}

/// Returns the columns of a title row, and of a comment only if it is like `# size_bytes time_us`;
/// otherwise empty. Other words beside a size make titles only above a row, since they may be a
/// sentence.
std::vector<PlainColumn> columns_at(const LogText& log, const LogLine& line) {
  const std::vector<LogWord> cells = cells_of(line, separator_of(line));
  auto columns = columns_of_titles(cells);
  if (columns.empty()) return columns;
  const bool is_head = is_head_of_rows(log, line, columns.size());
  const bool is_known =
      std::ranges::find(columns, Meaning::Unknown, &PlainColumn::meaning) == columns.end();
  if (line.is_comment() ? !are_all_measures(columns) || !is_head : !is_known && !is_head)
    columns.clear();
  return columns;
}

class PlainTableReader {
 public:
  explicit PlainTableReader(const LogText& log) : log_(log) {}

  LoggedTables read() {
    for (const LogLine& line : log_.lines)
      if (!is_rule(line)) take(line);
    if (assumed_ > 0)
      read_.remarks.push_back(log_.remark(
          read_.tables.front().line,
          "sizes such as 65K, 8M or 1 MB are taken as the power of two that they round (within "
          "2 %)"));
    return std::move(read_);
  }

 private:
  void take(const LogLine& line) {
    auto columns = columns_at(log_, line);
    if (!columns.empty()) {
      settle(log_, line, columns);
      separator_ = separator_of(line);
      return begin(line, std::move(columns));
    }
    if (line.is_comment()) return;
    const bool has_bars = separator_of(line) == '|';
    const std::vector<LogWord> cells = cells_of(line, has_bars ? '|' : separator_);
    if (columns_.empty())
      if (auto cut = columns_of_cut_row(cells); !cut.empty()) begin(line, std::move(cut));
    if (columns_.empty() || !is_row(cells)) return;
    read_.tables.back().rows.push_back(row_of(line, cells));
  }

  void begin(const LogLine& line, std::vector<PlainColumn> columns) {
    columns_ = std::move(columns);
    titles_ = line;
    const bool is_in_place = std::ranges::any_of(log_.lines, [](const LogLine& each) {
      return each.is_comment() && each.text.find("in-place") != std::string_view::npos;
    });
    read_.tables.push_back({.tool = "table", .bandwidth_is_in_place = is_in_place, .line = line});
  }

  LoggedRow row_of(const LogLine& line, const std::vector<LogWord>& cells) {
    if (cells.size() < columns_.size())
      throw InputError(log_.location(line), {},
                       fmt::format("the row has {} cells, its table has {} columns", cells.size(),
                                   columns_.size()));
    LoggedRow row{.line = line};
    PlainValue algorithm{{"0", 0}, 1};
    PlainValue bus = algorithm;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const Meaning meaning = columns_[i].meaning;
      if (meaning == Meaning::Size) {
        row.size = size_at(line, cells[i], columns_[i].unit);
        continue;
      }
      if (meaning == Meaning::PassedOver) continue;
      const PlainValue value = value_in(cells[i], columns_[i]);
      if (!value.has_own_unit && is_of_no_unit(columns_[i], columns_))
        throw InputError(log_.location(titles_, {columns_[i].title, columns_[i].place}),
                         shortened(columns_[i].title),
                         fmt::format("has no unit; read is {}", heads_read));
      const double number = number_at(log_, line, value.number, columns_[i].title);
      if (meaning == Meaning::Time) row.out_of_place = Seconds{number * value.scale};
      if (meaning == Meaning::AlgorithmBandwidth) algorithm = value;
      if (meaning == Meaning::BusBandwidth) bus = value;
    }
    row.bandwidths = printed_bandwidths(algorithm.number.text, bus.number.text);
    if (row.bandwidths) {
      row.bandwidths->algorithm *= algorithm.scale;
      row.bandwidths->algorithm_step *= algorithm.scale;
      row.bandwidths->bus *= bus.scale;
      row.bandwidths->bus_step *= bus.scale;
    }
    return row;
  }

  /// Reads a size such as `8M`, or `8` in a column in MB.
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
  std::vector<PlainColumn> columns_;
  LogLine titles_{};
  char separator_ = ' ';
  int assumed_ = 0;
};

}  // namespace

bool is_plain_table(const LogText& log) {
  return std::ranges::any_of(log.lines, [&](const LogLine& line) {
    return !columns_at(log, line).empty() ||
           (!line.is_comment() && !columns_of_cut_row(line.words()).empty());
  });
}

LoggedTables read_plain_table(const LogText& log) { return PlainTableReader(log).read(); }

}  // namespace formats
}  // namespace tofn
