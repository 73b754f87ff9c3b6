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

/// A figure of an answer with what is known about it.
struct Figure {
  std::string name;     ///< of its column, its unit last: `step_s`
  Value value;          ///< in `unit`
  std::string unit;     ///< `s`, `USD`; empty of counts, shares and texts
  std::string meaning;  ///< or its formula
  /// 90 % interval, where the answer has one; with a lower end alone it has no upper one.
  std::optional<double> low90{}, high90{};
  std::string basis{};  ///< measured, interpolated, extrapolated, formula, assumed or given
};

/// What a command answers: rows of figures, and the text that `tofn` prints of them.
///
/// `tofn list figures` names all columns with unit, meaning and formula. A name that the answer has
/// not is an Error that lists those it has.
class Answer {
 public:
  Answer() = default;
  Answer(std::vector<std::string> columns, std::vector<std::vector<Value>> rows, std::string text,
         std::vector<std::string> notices, int exit_code);

  std::size_t size() const { return rows_.size(); }  ///< rows
  const std::vector<std::string>& columns() const { return columns_; }
  const std::vector<std::vector<Value>>& rows() const { return rows_; }

  bool has(std::string_view column) const;
  const Value& value(std::string_view column, std::size_t row = 0) const;
  /// NaN where the cell is empty. Error where it is text.
  double number(std::string_view column, std::size_t row = 0) const;
  /// As csv has it.
  std::string words(std::string_view column, std::size_t row = 0) const;
  /// With unit, 90 % interval and basis, where the answer has columns of these.
  Figure figure(std::string_view column, std::size_t row = 0) const;
  /// Of all rows; NaN where a cell is empty. Error where one is text.
  std::vector<double> numbers(std::string_view column) const;

  const std::string& text() const { return text_; }  ///< as the command prints it
  /// What the command says beside its answer: what is ignored, taken otherwise or refused.
  const std::vector<std::string>& notices() const { return notices_; }
  /// The command's: 0, or 1 for an answer of no (a plan does not fit, a bandwidth is not normal), 2
  /// where a part of the input could not be read.
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
