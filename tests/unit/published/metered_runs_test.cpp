#include "sim/published/metered_runs.hpp"

#include <cmath>
#include <vector>

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

// Student's t is 6.314 with one degree of freedom and 2.920 with two.
TEST_CASE("a doubt is a tenth, worth one run, and what errors add") {
  CHECK_THAT(power_uncertainty({}), WithinRel(0.1 * 6.314, 1e-3));
  CHECK_THAT(power_uncertainty(std::vector{0.1}), WithinRel(0.1 * 2.920, 1e-3));
  CHECK_THAT(power_uncertainty(std::vector{-0.3}), WithinRel(std::sqrt(0.05) * 2.920, 1e-3));
}
