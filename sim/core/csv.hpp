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
  static CsvTable parse(std::string_view text, std::string file_name);
  /// As `read`, but rows of the wrong length are left out and told.
  static CsvTable read_sound_rows(const std::filesystem::path& path,
                                  std::vector<InputError>& left_out);
  /// As `parse`, but a last row that is shorter than the header and has no end is left out: what
  /// writes the file is not done, or was killed. `remarks` says so.
  static CsvTable parse_whole_rows(std::string_view text, std::string file_name,
                                   std::vector<std::string>& remarks);

  std::size_t rows() const { return rows_.size(); }
  bool has_column(std::string_view name) const;
  std::span<const std::string> columns() const { return columns_; }

  /// A cell without its quotes; empty when the file says nothing. Throws InputError when the table
  /// lacks the column; row < rows() is the caller's duty.
  const std::string& at(std::size_t row, std::string_view column) const;
  /// Where that cell starts.
  Location location(std::size_t row, std::string_view column) const;
  /// Where the column's name stands.
  Location header_location(std::string_view column) const;

  /// InputError at the name of the first column that is none of these: what it says would be
  /// missed.
  void refuse_unknown_columns(std::span<const std::string_view> known) const;
  /// Tells of all of these in one line, `file:line: columns left out: a, b`, with the known name
  /// that one may stand for. Refuses them where nobody takes notes.
  void leave_out_unknown_columns(std::span<const std::string_view> known,
                                 std::vector<std::string>* notes) const;

  /// `file:line:column: text` where no line break follows the last row and it ends in a number,
  /// which may be cut; else nothing.
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

  static CsvTable parse(std::string_view text, std::string file_name,
                        std::vector<InputError>* left_out);
  void set_header(const Row& header);
  void add_row(Row row, std::vector<InputError>* left_out);
  std::size_t index_of(std::string_view column) const;

  std::string file_;
  int header_line_ = 0;
  std::vector<std::string> columns_;
  std::vector<int> header_columns_;  ///< where their names start
  std::vector<Row> rows_;
  bool has_end_ = true;      ///< a line break behind the last row
  bool ends_short_ = false;  ///< the last row that was read, left out or not
};

}  // namespace tofn
