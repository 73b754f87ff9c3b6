#include "sim/report/figure_columns.hpp"

#include <algorithm>
#include <limits>

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const RunFigure& figure_named(std::string_view name) {
  return *std::find_if(run_figures.begin(), run_figures.end(),
                       [&](const RunFigure& figure) { return figure.name == name; });
}

}  // namespace

TEST_CASE("an interval has no end where its upper end is beyond all waiting, whatever its sign") {
  RunEstimate run;
  const auto with = [&](double expected, double low, double high) {
    run.expected.start_up_seconds = expected;
    run.samples = {{.start_up_seconds = low}, {.start_up_seconds = high}};
    return range_text(figure_named("start_up_s"), run);
  };
  constexpr double endless_time = 1e30;
  CHECK(with(-2, -3, -3) == "-3.00 to -2.00");
  CHECK(with(-3, -1, -1) == "-3.00 to -1.00");
  CHECK(with(-3, endless_time, endless_time) == "-3.00 to no end");
  CHECK(with(0, 16, 16) == "0 to 16.0");
}

TEST_CASE(
    "a table of sizes leads with the expected time and cost, the simulated time beside them") {
  RunEstimate run;
  run.expected.days = 10;
  run.expected.step_seconds = 2;
  run.expected.usd = 2000;
  run.expense.price = ChosenPrice{.usd_per_hour = 2, .source = "a test"};
  run.time = {.median = 1.5, .interval = {0.5, 4}};
  const std::vector<RunSize> sizes{{.accelerators = 8, .estimate = &run}};
  CHECK_THAT(run_sizes_table(sizes), !ContainsText("simulated"));
  CHECK_THAT(run_sizes_table(sizes), ContainsText("8 10.0 5.00 to 40.0"));
  run.overrun = published_overrun;
  const std::string table = run_sizes_table(sizes);
  CHECK_THAT(table, ContainsText("N days         90 % simulated step s MFU %  USD"));
  CHECK_THAT(table, ContainsText("8 15.0 5.00 to 40.0      10.0"));
  CHECK_THAT(table, ContainsText(" 3000 "));
}
