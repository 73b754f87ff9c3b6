#include "sim/core/dollars.hpp"

#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("dollars are read as people write them") {
  for (const char* text : {"500k", "$500k", "500000", "0.5M", "$0.5M", "500k USD", "$500k USD",
                           "0.5 M USD", "0.5 M", "500kUSD", "5e5"}) {
    INFO(text);
    CHECK(parse_dollars(text) == 500e3);
  }
  CHECK(parse_dollars("$2.5") == 2.5);
  CHECK(parse_dollars("2 M USD") == 2e6);
}

TEST_CASE("what is no amount of dollars is refused") {
  for (const char* text : {"", "$", "USD", "0", "$0", "-5", "5 EUR", "2 5", "$$5", "$ 5", "k",
                           "1,5M", "five", "5 kk"}) {
    INFO(text);
    CHECK(!parse_dollars(text));
  }
}

TEST_CASE("a currency is said before or behind the amount") {
  CHECK(has_currency("$5"));
  CHECK(has_currency("5 USD"));
  CHECK_FALSE(has_currency("5"));
  CHECK_FALSE(has_currency("USD"));
}
