#include "sim/core/csv.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include <fmt/format.h>

#include "sim/core/file.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/utf8.hpp"
#include "sim/core/words.hpp"

namespace tofn {

/// Walks over the text once, and knows the line and column of the next character.
class CsvTable::Scanner {
 public:
  Scanner(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

  bool at_end() const { return rest_.empty(); }
  bool at_comment() const { return rest_.starts_with('#'); }
  bool at_line_break() const { return rest_.starts_with('\n') || rest_.starts_with("\r\n"); }

  void skip_line() {
    while (!at_end() && !at_line_break()) take();
    skip_line_break();
  }

  Row take_row() {
    Row row{take_cell()};
    while (rest_.starts_with(',')) {
      take();
      row.push_back(take_cell());
    }
    skip_line_break();
    return row;
  }

 private:
  char take() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    // Continuation bytes of UTF-8 advance neither line nor column.
    if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) ++column_;
    if (c == '\n') {
      ++line_;
      column_ = 1;
    }
    return c;
  }

  void skip_line_break() {
    if (rest_.starts_with('\r')) take();
    if (rest_.starts_with('\n')) take();
  }

  Cell take_cell() {
    Cell cell{.text = {}, .line = line_, .column = column_};
    if (rest_.starts_with('"')) {
      cell.is_quoted = true;
      cell.text = take_quoted();
      return cell;
    }
    while (!at_end() && !at_line_break() && !rest_.starts_with(',')) {
      if (rest_.starts_with('"')) fail(line_, column_, "a quote inside a cell that is not quoted");
      cell.text += take();
    }
    return cell;
  }

  std::string take_quoted() {
    const int line = line_;
    const int column = column_;
    std::string text;
    take();
    while (!at_end()) {
      const char c = take();
      if (c != '"') {
        text += c;
      } else if (rest_.starts_with('"')) {
        text += take();
      } else {
        if (!at_end() && !at_line_break() && !rest_.starts_with(','))
          fail(line_, column_, "text after a closing quote");
        return text;
      }
    }
    fail(line, column, "a quote is not closed");
  }

  [[noreturn]] void fail(int line, int column, std::string_view problem) const {
    throw InputError({file_, line, column}, {}, problem);
  }

  std::string_view rest_;
  const std::string& file_;
  int line_ = 1;
  int column_ = 1;
};

CsvTable CsvTable::read(const std::filesystem::path& path) {
  return parse(read_text_file(path), path.string());
}

CsvTable CsvTable::read_sound_rows(const std::filesystem::path& path,
                                   std::vector<InputError>& left_out) {
  return parse(read_text_file(path), path.string(), &left_out);
}

CsvTable CsvTable::parse(std::string_view text, std::string file_name,
                         std::vector<InputError>* left_out) {
  check_text(text, file_name);
  CsvTable table;
  table.file_ = std::move(file_name);
  Scanner scanner(without_byte_order_mark(text), table.file_);
  while (!scanner.at_end()) {
    const bool is_comment = table.columns_.empty() && scanner.at_comment();
    if (is_comment || scanner.at_line_break())
      scanner.skip_line();
    else if (table.columns_.empty())
      table.set_header(scanner.take_row());
    else
      table.add_row(scanner.take_row(), left_out);
  }
  if (table.columns_.empty()) throw InputError({.file = table.file_}, {}, "has no header row");
  table.has_end_ = text.ends_with('\n');
  return table;
}

CsvTable CsvTable::parse_whole_rows(std::string_view text, std::string file_name,
                                    std::vector<std::string>& remarks) {
  std::vector<InputError> left_out;
  CsvTable table = parse(text, std::move(file_name), &left_out);
  if (left_out.empty()) return table;
  const bool last_is_short = !table.has_end_ && left_out.size() == 1 && table.ends_short_;
  if (!last_is_short) throw left_out.front();
  remarks.push_back(std::string(left_out.front().what()) + ": the last line is cut, and left out");
  table.has_end_ = true;
  return table;
}

void CsvTable::refuse_unknown_columns(std::span<const std::string_view> known) const {
  for (const std::string& column : columns_)
    if (std::ranges::find(known, column) == known.end())
      throw InputError(
          header_location(column), {},
          unknown_name("column", column, std::vector<std::string>(known.begin(), known.end())));
}

void CsvTable::leave_out_unknown_columns(std::span<const std::string_view> known,
                                         std::vector<std::string>* notes) const {
  if (notes == nullptr) return refuse_unknown_columns(known);
  const std::vector<std::string> valid(known.begin(), known.end());
  std::vector<std::string> left_out;
  for (const std::string& column : columns_) {
    if (std::ranges::find(valid, column) != valid.end()) continue;
    const auto near = nearest_name(column, valid);
    left_out.push_back(shortened(column) +
                       (near ? fmt::format(" (did you mean '{}'?)", *near) : ""));
  }
  if (!left_out.empty())
    notes->push_back(InputError({.file = file_, .line = header_line_}, {},
                                "columns left out: " + choices(left_out))
                         .what());
}

std::vector<std::string> CsvTable::remarks_on_end() const {
  if (has_end_ || rows_.empty()) return {};
  const Cell& last = rows_.back().back();
  double number = 0;
  if (last.is_quoted || !parse_number(last.text, number)) return {};
  const InputError doubt({file_, last.line, last.column}, columns_.back(),
                         fmt::format("the last line has no end: {} may be cut", last.text));
  return {doubt.what()};
}

void CsvTable::set_header(const Row& header) {
  header_line_ = header.front().line;
  for (const Cell& cell : header) {
    const Location place{file_, cell.line, cell.column};
    if (cell.text.empty()) throw InputError(place, {}, "a column has no name");
    if (has_column(cell.text))
      throw InputError(place, {}, fmt::format("duplicate column '{}'", shortened(cell.text)));
    columns_.push_back(cell.text);
    header_columns_.push_back(cell.column);
  }
}

void CsvTable::add_row(Row row, std::vector<InputError>* left_out) {
  ends_short_ = row.size() < columns_.size();
  if (row.size() == columns_.size()) {
    rows_.push_back(std::move(row));
    return;
  }
  const InputError wrong(
      {.file = file_, .line = row.front().line}, {},
      fmt::format("row has {}, the header has {}", counted(row.size(), "cell"), columns_.size()));
  if (left_out == nullptr) throw wrong;
  left_out->push_back(wrong);
}

bool CsvTable::has_column(std::string_view name) const {
  return std::ranges::find(columns_, name) != columns_.end();
}

std::size_t CsvTable::index_of(std::string_view column) const {
  const auto found = std::ranges::find(columns_, column);
  if (found == columns_.end())
    throw InputError({.file = file_, .line = header_line_}, {},
                     fmt::format("missing column '{}'; columns: {}", column, choices(columns_)));
  return static_cast<std::size_t>(found - columns_.begin());
}

const std::string& CsvTable::at(std::size_t row, std::string_view column) const {
  assert(row < rows_.size());
  return rows_[row][index_of(column)].text;
}

Location CsvTable::header_location(std::string_view column) const {
  return {file_, header_line_, header_columns_[index_of(column)]};
}

Location CsvTable::location(std::size_t row, std::string_view column) const {
  assert(row < rows_.size());
  const Cell& cell = rows_[row][index_of(column)];
  return {file_, cell.line, cell.column};
}

}  // namespace tofn
