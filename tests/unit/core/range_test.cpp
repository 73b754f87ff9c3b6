#include "sim/core/range.hpp"

#include "sim/core/quantity.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::literals;

TEST_CASE("a range holds its ends unless it is open") {
  CHECK_FALSE(range::positive.holds(0));
  CHECK(range::not_negative.holds(0));
  CHECK_FALSE(range::not_negative.holds(-1e-300));
  CHECK(range::at_least_one.holds(1));
  CHECK_FALSE(range::share.holds(0));
  CHECK(range::share.holds(1));
  CHECK_FALSE(range::share.holds(1.001));
}

TEST_CASE("what is scaled stays in its range, counts whole and switches as they are") {
  CHECK(scaled(3_us, 2, range::not_negative) == 6_us);
  CHECK(scaled(0.8, 2, range::share) == 1);
  CHECK(scaled(1.2, 0.5, range::at_least_one) == 1);
  CHECK(scaled(5, 0.5, range::at_least_one) == 3);
  CHECK(scaled(1, 0.5, range::at_least_one) == 1);
  CHECK(scaled(true, 0, range::any));
}
