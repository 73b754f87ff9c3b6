#include "sim/answers/case_cells.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"

namespace tofn {
inline namespace answers {

std::optional<double> CaseCells::amount(std::string_view column) const {
  const std::string cell = text(column);
  if (cell.empty()) return {};
  double value = 0;
  if (!parse_number(cell, value)) fail(column, "expected a number, got '" + shortened(cell) + "'");
  if (!(value > 0)) fail(column, "must be above 0, got " + shortened(cell));
  return value;
}

std::optional<int> CaseCells::count(std::string_view column, int least, int most) const {
  const std::string cell = text(column);
  if (cell.empty()) return {};
  double value = 0;
  if (!parse_number(cell, value) || value != std::floor(value))
    fail(column, "expected a whole number, got '" + shortened(cell) + "'");
  if (value < least || value > most)
    fail(column, fmt::format("must be from {} to {}, got {}", least, most, shortened(cell)));
  return static_cast<int>(value);
}

int CaseCells::needed_count(std::string_view column, int most) const {
  const auto value = count(column, 1, most);
  if (!value) fail(column, "is empty, but needed");
  return *value;
}

void CaseCells::fail(std::string_view column, std::string_view problem) const {
  // A column that the table lacks has no place of its own: the row's first cell has.
  Location place =
      table_.location(row_, table_.has_column(column) ? column : table_.columns().front());
  throw InputError(place, column, problem);
}

std::string CaseCells::lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace answers
}  // namespace tofn
