#include "sim/core/csv_row.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"

namespace tofn {
namespace {

constexpr std::array<std::pair<std::string_view, bool>, 6> flags{
    {{"true", true}, {"yes", true}, {"1", true}, {"false", false}, {"no", false}, {"0", false}}};

}  // namespace

std::string CsvRow::text(std::string_view column) const {
  return has(column) ? table_.at(row_, column) : std::string{};
}

std::string CsvRow::needed_text(std::string_view column) const {
  const std::string& cell = table_.at(row_, column);
  if (cell.empty()) fail(column, "is empty, but needed");
  return cell;
}

std::string CsvRow::lower_text(std::string_view column) const { return lower_case(text(column)); }

std::optional<double> CsvRow::number(std::string_view column, double least, bool is_above,
                                     std::string_view wanted) const {
  const std::string cell = text(column);
  if (cell.empty()) return {};
  double value = 0;
  if (!parse_number(cell, value) || value < least || (is_above && value == least))
    fail(column, fmt::format("expected {}, got '{}'", wanted, shortened(cell)));
  return value;
}

std::optional<double> CsvRow::number(std::string_view column) const {
  return number(column, std::numeric_limits<double>::lowest(), false, "a number");
}

std::optional<double> CsvRow::positive(std::string_view column) const {
  return number(column, 0, true, "a number above 0");
}

std::optional<double> CsvRow::not_negative(std::string_view column) const {
  return number(column, 0, false, "a number of at least 0");
}

double CsvRow::needed_positive(std::string_view column) const {
  needed_text(column);
  return *positive(column);
}

std::optional<int> CsvRow::count(std::string_view column, int least, int most) const {
  const std::string cell = text(column);
  if (cell.empty()) return {};
  double value = 0;
  if (!parse_number(cell, value) || value != std::floor(value) || value < least || value > most)
    fail(column, fmt::format("expected a whole number from {} to {}, got '{}'", least, most,
                             shortened(cell)));
  return static_cast<int>(value);
}

int CsvRow::needed_count(std::string_view column, int most) const {
  needed_text(column);
  return *count(column, 1, most);
}

std::optional<bool> CsvRow::flag(std::string_view column) const {
  const std::string cell = lower_text(column);
  if (cell.empty()) return {};
  for (const auto& [name, value] : flags)
    if (cell == name) return value;
  fail(column, fmt::format("expected true or false, got '{}'", shortened(text(column))));
}

void CsvRow::fail(std::string_view column, std::string_view problem) const {
  // If the table lacks the column, the error is at the row's first cell.
  throw InputError(has(column) ? table_.location(row_, column) : location(), column, problem);
}

}  // namespace tofn
