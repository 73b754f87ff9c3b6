#include "sim/core/cost.hpp"

#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("a sum of costs rests on the weaker basis") {
  const Cost sum = Cost{2_s, Basis::Formula} + Cost{3_s, Basis::Interpolated};
  CHECK(sum.time == 5_s);
  CHECK(sum.basis == Basis::Formula);
}

TEST_CASE("the longer of two costs rests on both") {
  const Cost longer = max(Cost{2_s, Basis::Assumed}, Cost{3_s, Basis::Measured});
  CHECK(longer.time == 3_s);
  CHECK(longer.basis == Basis::Assumed);
}

TEST_CASE("a zero cost is neutral and a factor scales the time only") {
  const Cost cost{2_s, Basis::Extrapolated};
  CHECK(cost + Cost{} == cost);
  CHECK(max(Cost{}, cost) == cost);
  CHECK(cost * 3 == Cost{6_s, Basis::Extrapolated});
  CHECK(0.5 * cost == Cost{1_s, Basis::Extrapolated});
}

TEST_CASE("a basis has a word") {
  CHECK(to_text(Basis::Measured) == "measured");
  CHECK(to_text(Basis::Interpolated) == "interpolated");
  CHECK(to_text(Basis::Extrapolated) == "extrapolated");
  CHECK(to_text(Basis::Formula) == "formula");
  CHECK(to_text(Basis::Assumed) == "assumed");
}
