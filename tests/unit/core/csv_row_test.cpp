#include "sim/core/csv_row.hpp"

#include <array>
#include <utility>

#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Table with one row, whose cells are `x` and `cell`.
const CsvTable& row_table(const std::string& cell) {
  static CsvTable table = CsvTable::parse("a,b\n1,2\n", "t.csv");
  table = CsvTable::parse("name,cell\nx," + cell + "\n", "t.csv");
  return table;
}
CsvRow row_of(const std::string& cell) { return {row_table(cell), 0}; }

template <class Read>
std::string refusal_of_cell(const std::string& cell, Read read) {
  return refusal([&] { static_cast<void>(read(row_of(cell))); });
}

}  // namespace

TEST_CASE("cells are read as what they should be, and empty ones are absent") {
  constexpr std::array<std::pair<std::string_view, int>, 2> sizes{{{"small", 1}, {"large", 2}}};
  CHECK(row_of("-2.5").number("cell") == -2.5);
  CHECK(row_of("2e3").positive("cell") == 2000);
  CHECK(row_of("0").not_negative("cell") == 0);
  CHECK(row_of("8.0").count("cell") == 8);
  CHECK(row_of("0").count("cell", 0) == 0);
  CHECK(row_of("Yes").flag("cell") == true);
  CHECK(row_of("False").flag("cell") == false);
  CHECK(row_of("LARGE").word("cell", sizes) == 2);
  for (const char* column : {"cell", "none"}) {
    const CsvRow empty = row_of("");
    CHECK(empty.text(column).empty());
    CHECK_FALSE((empty.number(column) || empty.positive(column) || empty.not_negative(column)));
    CHECK_FALSE((empty.count(column) || empty.flag(column) || empty.word(column, sizes)));
  }
}

TEST_CASE("a cell that is not what it should be is refused at its place") {
  const auto positive = [](const CsvRow& row) { return row.positive("cell"); };
  const auto count = [](const CsvRow& row) { return row.count("cell", 0, 3); };
  CHECK(refusal_of_cell("-1", positive) == "t.csv:2:3: cell: expected a number above 0, got '-1'");
  CHECK(refusal_of_cell("0", positive) == "t.csv:2:3: cell: expected a number above 0, got '0'");
  CHECK(refusal_of_cell("nan", positive) ==
        "t.csv:2:3: cell: expected a number above 0, got 'nan'");
  CHECK(refusal_of_cell("-1", [](const CsvRow& row) { return row.not_negative("cell"); }) ==
        "t.csv:2:3: cell: expected a number of at least 0, got '-1'");
  for (const char* cell : {"4", "1.5", "-1", "two"})
    CHECK(refusal_of_cell(cell, count) ==
          "t.csv:2:3: cell: expected a whole number from 0 to 3, got '" + std::string(cell) + "'");
  CHECK(refusal_of_cell("maybe", [](const CsvRow& row) { return row.flag("cell"); }) ==
        "t.csv:2:3: cell: expected true or false, got 'maybe'");
  CHECK(refusal_of_cell("", [](const CsvRow& row) { return row.needed_positive("cell"); }) ==
        "t.csv:2:3: cell: is empty, but needed");
  CHECK(refusal_of_cell("", [](const CsvRow& row) { return row.needed_count("none"); }) ==
        "t.csv:1: missing column 'none'; columns: name, cell");
}
