#include "sim/report/sweep_report.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("a sweep's numbers have all digits before the point up to a trillion") {
  const auto cell = [](double value) {
    return sweep_text({}, {.columns = {"x"}, .rows = {{value}}}, {}).details;
  };
  CHECK_THAT(cell(0.12345), ContainsText("0.1235"));
  CHECK_THAT(cell(1234.5678), ContainsText("1235"));
  CHECK_THAT(cell(999'999'999'999.0), ContainsText("999999999999"));
  CHECK_THAT(cell(1e12), ContainsText("1e+12"));
}

namespace {

/// Text of a grid with one axis in its order, in which one point does not fit.
AnswerText text_of_grid(const std::optional<Best>& best = {}) {
  Sweep sweep;
  sweep.name = "grid";
  sweep.title = "a grid";
  sweep.groups = {
      {.axes = {{.name = "tp", .path = "plan.tensor_parallel", .values = {"1", "2", "4"}}}}};
  sweep.best = best;
  const Records records{.columns = {"point", "tp", "step_s", "fits"},
                        .rows = {{0LL, 1LL, 1.0, 0LL}, {1LL, 2LL, 3.0, 1LL}, {2LL, 4LL, 2.0, 1LL}}};
  return sweep_text(sweep, records, {.points = "3 points", .notes = {"a note"}});
}

}  // namespace

TEST_CASE("a sweep opens with its best row that fits, and ranks the others below it") {
  const AnswerText text = text_of_grid();
  CHECK(text.screen.starts_with("grid: least step_s 2: tp 4\n"));
  CHECK_THAT(text.screen, ContainsText("\naxes          tp 1, 2, 4\n"));
  const std::size_t second = text.screen.find("\n 2      3\n");
  CHECK(second != std::string::npos);
  CHECK(text.screen.find("\n 1     1!\n") > second);
  CHECK_THAT(text.screen, ContainsText("\n!: it does not fit the memory\n"));
  CHECK_THAT(text.details, ContainsText("note          a note\n"));
}

TEST_CASE("rows that are each the best of their kind keep the order of the grid") {
  Best best;
  best.by.column = "step_s";
  best.of = {{.text = "pp"}, {.text = "chunks"}};
  const std::string screen = text_of_grid(best).screen;
  CHECK(screen.starts_with("grid: 3 rows, each with the least step_s of all pp, chunks\n"));
  CHECK(screen.find("\n 1     1!\n") < screen.find("\n 2      3\n"));
}

namespace {

Axis axis_of(const std::string& name, const std::vector<std::string>& values) {
  return {.name = name, .path = name, .values = values};
}

/// Screen of a sweep with an axis that no shown row varies, two axes that move together, and a
/// column of each of these names.
std::string screen_of(const std::vector<std::string>& columns) {
  Sweep sweep;
  sweep.name = "wide";
  sweep.groups = {{.axes = {axis_of("workload", {"bert", "retinanet"})}},
                  {.axes = {axis_of("in_node", {"450 GB/s", "50 GB/s"}),
                            axis_of("in_node_latency", {"1.9 us", "5 us"})}}};
  Records records{.columns = {"point", "workload", "in_node", "in_node_latency", "step_s"},
                  .rows = {{0LL, "bert", "450 GB/s", "1.9 us", 1.0}}};
  for (const std::string& column : columns) {
    sweep.columns.push_back({.text = column});
    records.columns.push_back(column);
    records.rows.front().push_back(1.0);
  }
  return sweep_text(sweep, records, {}).screen;
}

}  // namespace

TEST_CASE(
    "a sweep's table begins with the axes that tell its rows apart, then has what was named") {
  const std::string narrow = screen_of({"batch", "fits"});
  CHECK_THAT(narrow, ContainsText("\nworkload in_node  step_s batch fits in_node_latency\n"));
  CHECK_THAT(narrow, !ContainsText("not shown"));
  const std::string half(30, 'a');
  const std::string rest(30, 'b');
  const std::string wide = screen_of({half, rest, "mfu"});
  CHECK_THAT(wide, ContainsText("\nworkload in_node  step_s " + half + " mfu in_node_latency\n"));
  CHECK_THAT(wide, ContainsText("\nnot shown     " + rest + "\n"));
}
