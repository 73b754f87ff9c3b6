#include <string>

#include "sim/report/list_report.hpp"
#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("every column of an answer has a meaning, and of a quantity a unit") {
  const Records figures = list_figures().records;
  REQUIRE(figures.columns == std::vector<std::string>{"figure", "unit", "commands", "meaning"});
  CHECK(figures.rows.size() > 200);
  for (const auto& row : figures.rows) {
    const std::string& name = std::get<std::string>(row[0]);
    INFO(name);
    CHECK_FALSE(std::get<std::string>(row[3]).empty());
    CHECK((name.find("_ms") == std::string::npos || name.ends_with("_ms")));  // the unit is last
  }
}

TEST_CASE("the text lists figures without the ends of their intervals, the records both") {
  const Listing listing = list_figures();
  CHECK_THAT(listing.text, test::ContainsText("\nstep_s "));
  CHECK_THAT(listing.text, !test::ContainsText("\nstep_s_low90 "));
}

TEST_CASE("a figure of runs stands once in the list, with every command that has it") {
  const Records figures = list_figures().records;
  std::size_t seen = 0;
  for (const auto& row : figures.rows) {
    if (std::get<std::string>(row[0]) != "petaflop_s_days") continue;
    ++seen;
    CHECK(std::get<std::string>(row[1]) == "petaFLOP/s-days");
    CHECK(std::get<std::string>(row[2]) == "predict scale compare plan sweep");
  }
  CHECK(seen == 1);
}
