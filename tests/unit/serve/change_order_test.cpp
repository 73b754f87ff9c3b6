#include "sim/serve/change_order.hpp"

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("a change is a slot and a number", "[serve]") {
  const auto change = ChangeOrder::read("a1b2-A 17");
  REQUIRE(change);
  CHECK(change->slot == "a1b2-A");
  CHECK(change->number == 17);
  for (const char* wrong : {"", " ", "a", " 3", "a b", "a 3x", "a -3", "a 99999999999999999999"})
    CHECK_FALSE(ChangeOrder::read(wrong));
  CHECK_FALSE(ChangeOrder::read(std::string(1000, 'a') + " 3"));
}

TEST_CASE("a change is overtaken by a later one of its slot alone", "[serve]") {
  ChangeOrder order;
  order.note({"a", 5});
  CHECK(order.is_overtaken({"a", 4}));
  CHECK_FALSE(order.is_overtaken({"a", 5}));
  CHECK_FALSE(order.is_overtaken({"b", 1}));
  order.note({"a", 3});  // an older change that arrives late
  CHECK(order.is_overtaken({"a", 4}));
}

TEST_CASE("slots without end are forgotten", "[serve]") {
  ChangeOrder order;
  order.note({"a", 5});
  for (int i = 0; i < 3000; ++i) order.note({"s" + std::to_string(i), 1});
  CHECK_FALSE(order.is_overtaken({"a", 4}));
}
