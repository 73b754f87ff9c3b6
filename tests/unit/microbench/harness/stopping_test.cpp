#include "microbench/harness/stopping.hpp"

#include "tests/catch.hpp"

using namespace tofn::bench;

TEST_CASE("fast calls are timed in batches of a quarter of a millisecond") {
  const StoppingRule rule;
  CHECK(rule.calls_per_sample(1e-6, false) == 250);
  CHECK(rule.calls_per_sample(100e-6, false) == 3);  // 2.5 calls would fit
  CHECK(rule.calls_per_sample(101e-6, false) == 2);
  CHECK(rule.calls_per_sample(250e-6, false) == 1);
  CHECK(rule.calls_per_sample(10, false) == 1);
  CHECK(rule.calls_per_sample(1e-10, false) == 1'000'000);  // 2.5 million would fit
  CHECK(rule.calls_per_sample(100e-6, true) == 20);         // samples on a device take 2 ms
  CHECK(rule.calls_per_sample(0, false) == 1'000'000);      // below the clock's resolution
}

TEST_CASE("a visit holds as many samples as its time, within bounds") {
  const StoppingRule rule{.visit_time = 0.05};
  CHECK(rule.samples_per_visit(250e-6) == 200);
  CHECK(rule.samples_per_visit(1e-3) == 50);
  CHECK(rule.samples_per_visit(12.5e-3) == 4);
  CHECK(rule.samples_per_visit(20e-3) == 3);   // 2.5 fit, but three is the minimum
  CHECK(rule.samples_per_visit(100) == 3);     // longer than the visit
  CHECK(rule.samples_per_visit(1e-6) == 200);  // the maximum
  CHECK(rule.samples_per_visit(0) == 200);
  CHECK(StoppingRule{.visit_time = 0.1}.samples_per_visit(1e-3) == 100);
}

TEST_CASE("a point is done once it is settled or its time is up, of two visits at least") {
  const StoppingRule rule{.share = 0.02, .most_time = 2, .visit_time = 0.05, .least_visits = 5};
  CHECK(rule.is_enough(5, 0.1, 0.02));
  CHECK(rule.is_enough(5, 0.1, 0));
  CHECK_FALSE(rule.is_enough(5, 0.1, 0.0201));
  CHECK_FALSE(rule.is_enough(4, 0.1, 0));
  CHECK(rule.is_enough(5, 2, 0.5));
  CHECK_FALSE(rule.is_enough(100, 1.99, 0.5));
  CHECK(rule.is_enough(2, 2, 0.5));  // slow calls may have fewer visits
  CHECK_FALSE(rule.is_enough(1, 1000, 0));
}
