#include "sim/report/watch_report.hpp"

#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("a record of a watched job says how many runs its log holds") {
  const Records records = watch_records({.runs = 3});
  const auto column = std::find(records.columns.begin(), records.columns.end(), "runs");
  REQUIRE(column != records.columns.end());
  CHECK(records.rows.at(0).at(static_cast<std::size_t>(column - records.columns.begin())) ==
        Value{3.0});
}
