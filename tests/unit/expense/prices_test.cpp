#include "sim/cluster/prices.hpp"

#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("a price is a number above 0 with its unit") {
  CHECK(parse_price("6.88 USD/h") == 6.88);
  CHECK(parse_price("2 USD/h") == 2);
  CHECK(parse_price("$6.88/h") == 6.88);
  for (const char* text : {"6.88", "6.88 USD", "-1 USD/h", "0 USD/h", "nan USD/h", "USD/h",
                           " USD/h", "6,88 USD/h", "6.88 EUR/h", "6.88USD/h"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_price(text));
  }
}
