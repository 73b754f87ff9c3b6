#include "sim/curves/isotonic.hpp"

#include <vector>

#include "tests/catch.hpp"

namespace tofn {

TEST_CASE("values that fall are levelled to their mean") {
  std::vector<double> values{1, 3, 2, 4};
  level_falls(values);
  CHECK(values == std::vector<double>{1, 2.5, 2.5, 4});
}

TEST_CASE("a late low value pulls down all before it") {
  std::vector<double> values{4, 5, 6, 1};
  level_falls(values);
  CHECK(values == std::vector<double>{4, 4, 4, 4});
}

TEST_CASE("values in order stay") {
  std::vector<double> values{1, 1, 2, 7};
  level_falls(values);
  CHECK(values == std::vector<double>{1, 1, 2, 7});
}

}  // namespace tofn
