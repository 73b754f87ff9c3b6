#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tofn {

/// A cell: nothing, a number or text.
using Value = std::variant<std::monostate, double, long long, std::string>;

/// A figure of an answer, with its unit, interval and basis.
struct Figure {
  std::string name;     ///< name of its column, which ends with the unit: `step_s`
  Value value;          ///< in `unit`
  std::string unit;     ///< `s`, `USD`; empty for counts, shares and texts
  std::string meaning;  ///< its meaning or formula
  /// 90 % interval, if the answer has one; without `high90` it has no upper end.
  std::optional<double> low90{}, high90{};
  std::string basis{};  ///< measured, interpolated, extrapolated, formula, assumed or given
};

/// Answer of a command: rows of figures, and the text that `tofn` prints of them.
///
/// `tofn list figures` names all columns with unit, meaning and formula. A column that the answer
/// does not have throws an Error that lists those it has.
class Answer {
 public:
  Answer() = default;
  Answer(std::vector<std::string> columns, std::vector<std::vector<Value>> rows, std::string text,
         std::vector<std::string> notices, int exit_code);

  std::size_t size() const { return rows_.size(); }  ///< number of rows
  const std::vector<std::string>& columns() const { return columns_; }
  const std::vector<std::vector<Value>>& rows() const { return rows_; }

  bool has(std::string_view column) const;
  const Value& value(std::string_view column, std::size_t row = 0) const;
  /// The cell as a number, NaN if it is empty. Throws Error if it is text.
  double number(std::string_view column, std::size_t row = 0) const;
  /// The cell as text, as csv() writes it.
  std::string words(std::string_view column, std::size_t row = 0) const;
  /// The cell with its unit, 90 % interval and basis, as far as the answer has columns of these.
  Figure figure(std::string_view column, std::size_t row = 0) const;
  /// A column's number in every row, NaN if the cell is empty. Throws Error if a cell is text.
  std::vector<double> numbers(std::string_view column) const;

  const std::string& text() const { return text_; }  ///< as the command prints it
  /// Notices beside the answer: what the command ignored, assumed or refused.
  const std::vector<std::string>& notices() const { return notices_; }
  /// Exit code of the command: 0; 1 for an answer of no (a plan does not fit, a bandwidth is not
  /// normal); 2 if a part of the input could not be read.
  int exit_code() const { return exit_code_; }

  std::string csv() const;   ///< RFC 4180 with a header row
  std::string json() const;  ///< an array of objects

 private:
  std::size_t index_of(std::string_view column) const;

  std::vector<std::string> columns_{};
  std::vector<std::vector<Value>> rows_{};
  std::string text_{};
  std::vector<std::string> notices_{};
  int exit_code_ = 0;
};

}  // namespace tofn
