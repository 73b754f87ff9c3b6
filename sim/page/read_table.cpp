#include "sim/page/read_table.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sim/core/csv.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/utf8.hpp"
#include "sim/formats/text/answer_file.hpp"
#include "sim/formats/text/json_rows.hpp"
#include "sim/page/sampled.hpp"

namespace tofn {
inline namespace page {
namespace {

/// Limit of the spans: more are narrower than a pixel on most screens, and make a page slow.
constexpr std::size_t most_spans = 6000;

/// Limit of the rows: pages with more take seconds to open and megabytes to send.
constexpr std::size_t most_rows = 5'000;

constexpr std::array<std::string_view, 5> trace_columns{"ph", "pid", "tid", "ts", "dur"};

Value cell_of(const std::string& text) {
  long long whole = 0;
  double number = 0;
  if (text.empty()) return {};
  if (parse_integer(text, whole)) return whole;
  if (parse_number(text, number)) return number;
  return text;
}

/// The first line that is no comment; empty if there is none.
std::string_view header_of(std::string_view text) {
  while (text.starts_with('#') || text.starts_with('\n') || text.starts_with('\r'))
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  return text.substr(0, text.find('\n'));
}

Records csv_rows(std::string_view text, const std::string& file) {
  if (header_of(text).find(',') == std::string_view::npos)
    throw InputError({file}, {}, "is neither JSON nor CSV with two columns at least");
  const CsvTable table = CsvTable::parse(text, file);
  Records records;
  records.columns.assign(table.columns().begin(), table.columns().end());
  for (std::size_t r = 0; r < table.rows(); ++r) {
    auto& row = records.rows.emplace_back();
    for (const std::string& column : records.columns) row.push_back(cell_of(table.at(r, column)));
  }
  return records;
}

bool is_trace(const Records& records) {
  return std::ranges::all_of(trace_columns, [&](std::string_view name) {
    return std::ranges::find(records.columns, name) != records.columns.end();
  });
}

bool is_number(const Value& value) {
  return std::holds_alternative<double>(value) || std::holds_alternative<long long>(value);
}

std::size_t columns_of_numbers(const Records& records) {
  std::size_t count = 0;
  for (std::size_t c = 0; c < records.columns.size(); ++c)
    if (std::ranges::any_of(records.rows, [&](const auto& row) { return is_number(row[c]); }))
      ++count;
  return count;
}

}  // namespace

PageTable page_table(Records records, const std::string& name) {
  if (records.rows.empty()) throw InputError({name}, {}, "has no rows");
  if (is_trace(records)) records = spans_of(records, most_spans);
  if (records.rows.empty()) throw InputError({name}, {}, "the trace has no spans (`ph` X)");
  const std::size_t rows = records.rows.size();
  records = sampled(std::move(records), most_rows);
  const OutputKind& kind = kind_of(records.columns);
  if (kind.columns.empty() && columns_of_numbers(records) < 2)
    throw InputError({name}, {}, "is no output that tofn draws, and has no two columns of numbers");
  return {.kind = &kind, .origin = name, .records = std::move(records), .rows_in_all = rows};
}

std::vector<PageTable> joined(std::vector<PageTable> tables) {
  std::vector<PageTable> result;
  for (PageTable& table : tables) {
    const auto like = std::ranges::find_if(result, [&](const PageTable& other) {
      return table.kind->can_be_joined && other.kind == table.kind &&
             other.records.columns == table.records.columns;
    });
    if (like == result.end()) {
      result.push_back(std::move(table));
      continue;
    }
    like->origin += ", " + table.origin;
    like->answers.insert(like->answers.end(), table.answers.begin(), table.answers.end());
    like->rows_in_all += table.rows_in_all;
    auto& rows = like->records.rows;
    rows.insert(rows.end(), std::make_move_iterator(table.records.rows.begin()),
                std::make_move_iterator(table.records.rows.end()));
  }
  return result;
}

PageTable read_page_table(const std::filesystem::path& path) {
  const std::string file = path.string();
  const std::string whole = read_text_file(path);
  std::string_view text = without_byte_order_mark(whole);
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  const bool is_json = text.starts_with('[') || text.starts_with('{');
  PageTable table = page_table(is_json ? json_rows(whole, file) : csv_rows(whole, file), file);
  if (!is_json) return table;
  AnswerWords words = answer_words(text);
  if (!words.command.empty()) table.origin += ": " + words.command;
  if (!words.text.empty()) table.answers.push_back(std::move(words.text));
  return table;
}

}  // namespace page
}  // namespace tofn
