#include "sim/answers/next_measurement.hpp"

#include "tests/catch.hpp"

using namespace tofn;

namespace {

std::string order_of(std::vector<Measurement> all) {
  std::string names;
  for (const Measurement& each : ranked(std::move(all))) names += each.name;
  return names;
}

Measurement named(const char* name, double hours, double deviation) {
  return {.name = name, .command = {}, .accelerator_hours = hours, .deviation = deviation};
}

}  // namespace

TEST_CASE("the cheapest of the measurements that leave alike intervals is the next one") {
  CHECK(order_of({named("a", 64, 0.100), named("b", 2, 0.105), named("c", 8, 0.102)}) == "bca");
  // 0.12 leaves an interval a fifth wider, however cheap it is.
  CHECK(order_of({named("a", 64, 0.100), named("b", 2, 0.12), named("c", 0, 0.3)}) == "abc");
  CHECK(order_of({}).empty());
}

TEST_CASE("half of an interval is that of a log-normal time") {
  CHECK(half_width(0) == 0);
  CHECK(half_width(0.2) == Approx(0.3896).epsilon(1e-3));  // exp(1.645 x 0.2) - 1
}
