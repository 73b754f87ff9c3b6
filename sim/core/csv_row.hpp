#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/csv.hpp"
#include "sim/core/names.hpp"

namespace tofn {

/// One row of a table with typed cells. An empty cell counts as a missing column: the value is
/// absent, or InputError if it is needed. Any other mistake is an InputError at the cell.
class CsvRow {
 public:
  static constexpr int most_count = 100'000'000;

  CsvRow(const CsvTable& table, std::size_t row) : table_(table), row_(row) {}

  /// Text of a cell; empty if the column is missing.
  std::string text(std::string_view column) const;
  std::string needed_text(std::string_view column) const;

  std::optional<double> number(std::string_view column) const;
  std::optional<double> positive(std::string_view column) const;
  double needed_positive(std::string_view column) const;
  std::optional<double> not_negative(std::string_view column) const;
  /// Reads a whole number within these bounds, `8` or `8.0`.
  std::optional<int> count(std::string_view column, int least = 1, int most = most_count) const;
  int needed_count(std::string_view column, int most = most_count) const;
  /// Reads `true`, `yes`, `1` or `false`, `no`, `0`; case does not matter.
  std::optional<bool> flag(std::string_view column) const;
  /// Value of the cell's word in a table of pairs of word and value; case does not matter.
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
  /// Location of the row's first cell.
  Location location() const { return table_.location(row_, table_.columns().front()); }
  [[noreturn]] void fail(std::string_view column, std::string_view problem) const;

 private:
  std::optional<double> number(std::string_view column, double least, bool is_above,
                               std::string_view wanted) const;

  const CsvTable& table_;
  std::size_t row_;
};

}  // namespace tofn
