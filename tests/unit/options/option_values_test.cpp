#include "sim/options/option_values.hpp"

#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

std::string counts_refusal(const std::string& text) {
  return refusal([&] { counts_of(text, "-N"); });
}

}  // namespace

TEST_CASE("counts are numbers, lists and doubling ranges") {
  REQUIRE(counts_of("64", "-N") == std::vector{64});
  REQUIRE(counts_of("8,64,512", "-N") == std::vector{8, 64, 512});
  REQUIRE(counts_of("8..64", "-N") == std::vector{8, 16, 32, 64});
  REQUIRE(counts_of("3..20", "-N") == std::vector{3, 6, 12, 20});
  REQUIRE(counts_of("64..100", "-N") == std::vector{64, 100});
  REQUIRE(counts_of("1000000..1048576", "-N") == std::vector{1000000, 1048576});
  REQUIRE(counts_of("8..8", "-N") == std::vector{8});
}

TEST_CASE("counts ascend, each once") {
  REQUIRE(counts_of("64,8,64", "-N") == std::vector{8, 64});
  REQUIRE(counts_of("24,8..32,16", "-N") == std::vector{8, 16, 24, 32});
}

TEST_CASE("counts refuse what is not a count") {
  CHECK(counts_refusal("") == "-N: expected numbers, e.g. 8,64");
  CHECK(counts_refusal(",") == "-N: expected numbers, e.g. 8,64");
  CHECK(counts_refusal("8,x") ==
        "-N: expected whole numbers from 1 to 1048576 such as 8, 8,64 or 8..64 (8 and its "
        "doublings), got 'x'");
  CHECK(counts_refusal("0") ==
        "-N: expected whole numbers from 1 to 1048576 such as 8, 8,64 or 8..64 (8 and its "
        "doublings), got '0'");
  CHECK(counts_refusal("8.5") ==
        "-N: expected whole numbers from 1 to 1048576 such as 8, 8,64 or 8..64 (8 and its "
        "doublings), got '8.5'");
  CHECK(counts_refusal("8..") ==
        "-N: expected whole numbers from 1 to 1048576 such as 8, 8,64 or 8..64 (8 and its "
        "doublings), got ''");
  CHECK(counts_refusal("64..8") == "-N: the range 64..8 ends below its start");
  CHECK(counts_refusal("2000000") ==
        "-N: expected whole numbers from 1 to 1048576 such as 8, 8,64 or 8..64 (8 and its "
        "doublings), got '2000000'");
}

TEST_CASE("a text is read, or refused by its flag") {
  REQUIRE(whole<>("4", "--tp") == 4);
  CHECK(refusal([] { whole<>("-4", "--tp"); }) ==
        "--tp: expected a whole number from 1 to 1000000, got '-4'");
  CHECK(refusal([] { whole<20>("21", "--clusters"); }) ==
        "--clusters: expected a whole number from 1 to 20, got '21'");
  REQUIRE(on_or_off("on", "--sharp"));
  REQUIRE_FALSE(on_or_off("off", "--sharp"));
  CHECK(refusal([] { on_or_off("yes", "--sharp"); }) ==
        "--sharp: unknown value 'yes'; valid values: on, off");
}

TEST_CASE("whole numbers of a list stand as they are") {
  CHECK(numbers("7,8,8,7", "--stage-layers") == std::vector{7, 8, 8, 7});
  CHECK(refusal([] { numbers("7,-1", "--stage-layers"); }) ==
        "--stage-layers: expected whole numbers from 0 to 1048576 such as 7,8,8,7, got '-1'");
}
