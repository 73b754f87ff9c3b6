#include "sim/report/sweep_report.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("a sweep's numbers have all digits before the point up to a trillion") {
  const auto cell = [](double value) {
    return sweep_text("", {.columns = {"x"}, .rows = {{value}}}, "");
  };
  CHECK_THAT(cell(0.12345), ContainsText("0.1235"));
  CHECK_THAT(cell(1234.5678), ContainsText("1235"));
  CHECK_THAT(cell(999'999'999'999.0), ContainsText("999999999999"));
  CHECK_THAT(cell(1e12), ContainsText("1e+12"));
}
