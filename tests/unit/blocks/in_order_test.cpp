#include "sim/blocks/in_order.hpp"

#include <algorithm>
#include <array>

#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("in whatever order blocks come, they leave in that of their numbers") {
  std::array<std::uint64_t, 5> order{4, 5, 6, 7, 8};
  do {
    InOrder window(4);
    std::string left;
    for (const std::uint64_t block : order)
      window.accept({.block = block, .rows = std::to_string(block)},
                    [&](std::string_view rows) { left += rows; });
    CHECK(left == "45678");
    CHECK(window.next() == 9);
    CHECK(window.held_bytes() == 0);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_CASE("blocks wait for the one before them") {
  InOrder window(0);
  std::string left;
  const auto pass_on = [&](std::string_view rows) { left += rows; };
  window.accept({.block = 1, .rows = "one,"}, pass_on);
  window.accept({.block = 3, .rows = ""}, pass_on);
  CHECK(left.empty());
  CHECK(window.next() == 0);
  CHECK(window.held_bytes() == 4);
  window.accept({.block = 0, .rows = "zero,"}, pass_on);
  CHECK(left == "zero,one,");
  CHECK(window.next() == 2);
  window.accept({.block = 2, .rows = "two,"}, pass_on);
  CHECK(left == "zero,one,two,");
  CHECK(window.next() == 4);
}
