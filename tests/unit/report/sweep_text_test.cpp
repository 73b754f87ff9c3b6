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
  const std::size_t second = text.screen.find("\n     3  2\n");
  CHECK(second != std::string::npos);
  CHECK(text.screen.find("\n    1!  1\n") > second);
  CHECK_THAT(text.details, ContainsText("note          a note\n"));
}

TEST_CASE("rows that are each the best of their kind keep the order of the grid") {
  Best best;
  best.by.column = "step_s";
  const std::string screen = text_of_grid(best).screen;
  CHECK(screen.find("\n    1!  1\n") < screen.find("\n     3  2\n"));
}
