#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"

namespace tofn {

/// A table with a header row: RFC 4180 quotes, LF or CRLF, an optional byte order mark, `#` comment
/// lines before the header; blank lines are skipped. Mistakes are InputErrors with file and line.
class CsvTable {
 public:
  static CsvTable read(const std::filesystem::path& path);
  /// Leaves out rows of the wrong length and lists them in `left_out`, if that is given.
  static CsvTable parse(std::string_view text, std::string file_name,
                        std::vector<InputError>* left_out = nullptr);
  /// Reads a table and leaves out rows of the wrong length, which `left_out` lists.
  static CsvTable read_sound_rows(const std::filesystem::path& path,
                                  std::vector<InputError>& left_out);
  /// Parses a table whose file is still being written, or whose writer was killed. If the last row
  /// is shorter than the header and has no line break, it is left out and `remarks` says so.
  static CsvTable parse_whole_rows(std::string_view text, std::string file_name,
                                   std::vector<std::string>& remarks);

  std::size_t rows() const { return rows_.size(); }
  bool has_column(std::string_view name) const;
  std::span<const std::string> columns() const { return columns_; }

  /// Text of a cell without its quotes; empty if the cell is empty. InputError if the table lacks
  /// the column. `row` must be below rows().
  const std::string& at(std::size_t row, std::string_view column) const;
  /// Location of the start of that cell.
  Location location(std::size_t row, std::string_view column) const;
  /// Location of the column's name.
  Location header_location(std::string_view column) const;

  /// InputError at the name of the first column that is not in `known`, because its content would
  /// otherwise be ignored.
  void refuse_unknown_columns(std::span<const std::string_view> known) const;
  /// Adds one line to `notes` that lists the unknown columns, `file:line: columns left out: a, b`,
  /// each with the known name that it resembles. InputError for the first one if `notes` is null.
  void leave_out_unknown_columns(std::span<const std::string_view> known,
                                 std::vector<std::string>* notes) const;

  /// Remark `file:line:column: text` if no line break follows the last row and it ends in a number,
  /// which may be cut; otherwise nothing.
  std::vector<std::string> remarks_on_end() const;

 private:
  struct Cell {
    std::string text;
    int line = 0;
    int column = 0;
    bool is_quoted = false;
  };
  using Row = std::vector<Cell>;
  class Scanner;

  void set_header(const Row& header);
  void add_row(Row row, std::vector<InputError>* left_out);
  std::size_t index_of(std::string_view column) const;

  std::string file_;
  int header_line_ = 0;
  std::vector<std::string> columns_;
  std::vector<int> header_columns_;  ///< columns of the file in which the names start
  std::vector<Row> rows_;
  bool has_end_ = true;      ///< true if a line break follows the last row
  bool ends_short_ = false;  ///< true if the last row that was read is too short, even if left out
};

}  // namespace tofn
