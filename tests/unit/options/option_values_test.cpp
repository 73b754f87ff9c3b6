#include "sim/options/option_values.hpp"

#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

std::string counts_refusal(const std::string& text) {
  return refusal([&] { counts_of(text, "-N"); });
}

options::variables_map given(const char* name, const char* text) {
  options::variables_map values;
  values.insert({name, options::variable_value(std::string(text), false)});
  return values;
}

}  // namespace

TEST_CASE("counts are numbers, lists and doubling ranges") {
  REQUIRE(counts_of("64", "-N") == std::vector{64});
  REQUIRE(counts_of("8,64,512", "-N") == std::vector{8, 64, 512});
  REQUIRE(counts_of("8..64", "-N") == std::vector{8, 16, 32, 64});
  REQUIRE(counts_of("3..20", "-N") == std::vector{3, 6, 12});
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

TEST_CASE("a k of a sequence length is 1024 tokens, as the field writes it") {
  const auto tokens = [](const char* text) {
    return sequence_length_option(given("sequence-length", text));
  };
  CHECK(tokens("4096") == 4096);
  CHECK(tokens("8k") == 8192);
  CHECK(tokens("128K") == 131072);
  CHECK(tokens("16777216") == 16777216);
  CHECK_FALSE(sequence_length_option({}).has_value());
  for (const char* wrong : {"", "k", "0k", "8 k", "1M", "8.5k", "16385k", "16777217", "-8"})
    CHECK(refusal([&] { tokens(wrong); }) ==
          "--sequence-length: expected tokens from 1 to 16777216, such as 8192 or 8k (8 x 1024), "
          "got '" +
              std::string(wrong) + "'");
}

TEST_CASE("options that were not given are absent") {
  const options::variables_map nothing;
  REQUIRE(!text_option(nothing, "tp"));
  REQUIRE(!count_option(nothing, "tp"));
  REQUIRE(!switch_option(nothing, "sharp"));
}

TEST_CASE("options are read, or refused by name") {
  REQUIRE(count_option(given("tp", "4"), "tp") == 4);
  CHECK(refusal([] { count_option(given("tp", "-4"), "tp"); }) ==
        "--tp: expected a whole number from 1 to 1000000, got '-4'");
  REQUIRE(switch_option(given("sharp", "on"), "sharp") == true);
  REQUIRE(switch_option(given("sharp", "off"), "sharp") == false);
  CHECK(refusal([] { switch_option(given("sharp", "yes"), "sharp"); }) ==
        "--sharp: unknown value 'yes'; valid values: on, off");
}
