#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/csv.hpp"
#include "sim/core/names.hpp"

namespace tofn {

/// One row of a table, its cells read as what they should be. An empty cell is as good as a missing
/// column: absent, or an InputError where it is needed. Other mistakes are InputErrors at the cell.
class CsvRow {
 public:
  static constexpr int most_count = 100'000'000;

  CsvRow(const CsvTable& table, std::size_t row) : table_(table), row_(row) {}

  /// Empty where the row does not say.
  std::string text(std::string_view column) const;
  std::string needed_text(std::string_view column) const;

  std::optional<double> number(std::string_view column) const;
  std::optional<double> positive(std::string_view column) const;
  double needed_positive(std::string_view column) const;
  std::optional<double> not_negative(std::string_view column) const;
  /// A whole number in these bounds, `8` or `8.0`.
  std::optional<int> count(std::string_view column, int least = 1, int most = most_count) const;
  int needed_count(std::string_view column, int most = most_count) const;
  /// `true`, `yes`, `1` or `false`, `no`, `0`, whatever their case.
  std::optional<bool> flag(std::string_view column) const;
  /// The value of the cell's word, whatever its case, in a table of pairs of word and value.
  template <class Words>
  auto word(std::string_view column, const Words& words) const
      -> std::optional<typename Words::value_type::second_type> {
    const std::string cell = lower_text(column);
    if (cell.empty()) return {};
    std::vector<std::string> valid;
    for (const auto& [name, value] : words) {
      if (cell == name) return value;
      valid.emplace_back(name);
    }
    fail(column, unknown_name("value", text(column), valid));
  }

  std::string lower_text(std::string_view column) const;
  bool has(std::string_view column) const { return table_.has_column(column); }
  /// Of the row's first cell.
  Location location() const { return table_.location(row_, table_.columns().front()); }
  [[noreturn]] void fail(std::string_view column, std::string_view problem) const;

 private:
  std::optional<double> number(std::string_view column, double least, bool is_above,
                               std::string_view wanted) const;

  const CsvTable& table_;
  std::size_t row_;
};

}  // namespace tofn
