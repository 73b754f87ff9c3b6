#include "sim/expense/expense.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("a grid's emissions are a number of grams above 0") {
  CHECK(grid_intensity_of("480") == 480);
  CHECK(grid_intensity_of("0.5") == 0.5);
  for (const std::string text : {"0", "-1", "480 g", "480G", "20000", "nan", ""})
    CHECK(refusal([&] { grid_intensity_of(text); }) ==
          "expected g CO2e of a kWh, a number above 0 and at most 10000 such as 480, without a "
          "unit, got '" +
              text + "'");
}
