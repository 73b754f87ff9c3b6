#include "sim/report/published_report.hpp"

#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("a run without a published time has none in the records") {
  ScoredRun timed;
  timed.benchmark = "bert";
  timed.time.measured = 60;
  timed.skipped_because = "a reason";
  ScoredRun untimed = timed;
  untimed.time.measured = 0;
  const Records records = published_records({timed, untimed}, "standing");
  const auto column = std::find(records.columns.begin(), records.columns.end(), "measured_s");
  REQUIRE(column != records.columns.end());
  const auto at = static_cast<std::size_t>(column - records.columns.begin());
  CHECK(records.rows.at(0).at(at) == Value{60.0});
  CHECK(records.rows.at(1).at(at) == Value{});
}
