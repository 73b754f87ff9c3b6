#pragma once

#include <string_view>

#include "sim/core/csv.hpp"
#include "sim/core/quantity_text.hpp"
#include "tests/catch.hpp"

namespace tofn::test {

/// Number in a cell of a table of test data; the test fails if it is none.
inline double csv_number(const CsvTable& table, std::size_t row, std::string_view column) {
  double value = 0;
  REQUIRE(parse_number(table.at(row, column), value));
  return value;
}

}  // namespace tofn::test
