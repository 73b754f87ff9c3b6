#include "sim/core/sourced.hpp"

#include "sim/core/quantity.hpp"
#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("a value without a source is assumed") {
  CHECK(Sourced<int>{8}.is_assumed());
  CHECK(Sourced<int>{8, "assumed"}.is_assumed());
  CHECK_FALSE(Sourced<int>{8, "a datasheet"}.is_assumed());
}

TEST_CASE("a sourced value reads as the value") {
  const Sourced<Bytes> memory{80_GB, "a datasheet"};
  const Bytes half = memory.value / 2;
  const Bytes& whole = memory;
  CHECK(half == 40_GB);
  CHECK(whole == 80_GB);
}
