#include "sim/curves/line.hpp"

#include "sim/curves/samples.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("a line's misfit is the sum of the squares of its relative errors") {
  const std::vector<Sample> samples{{.size = 10, .time = 2}, {.size = 100, .time = 4}};
  CHECK_THAT(misfit({.latency = 1, .per_byte = 0.03}, samples), WithinRel(0.35 * 0.35, 1e-12));
  CHECK(misfit({.latency = 2 - 20.0 / 90, .per_byte = 2.0 / 90}, samples) < 1e-24);
}

TEST_CASE("of samples that no line of two terms fits the better of the two alone is taken") {
  // Smaller sizes take longer, but neither the latency nor the time a byte may be below 0.
  const std::vector<Sample> falling{{.size = 10, .time = 2.1}, {.size = 100, .time = 2}};
  const Line flat = fit_line(falling);
  CHECK(flat.per_byte == 0);
  CHECK_THAT(flat.latency, WithinRel(2.05, 0.01));
  // One sample cannot separate latency from bandwidth, so the fit takes the one that claims less
  // beyond it.
  CHECK(fit_line(std::vector<Sample>{{.size = 8, .time = 2}}).per_byte == 0);
  // Ten times the bytes take twenty times the time.
  const std::vector<Sample> rising{{.size = 10, .time = 1}, {.size = 100, .time = 20}};
  const Line steep = fit_line(rising);
  CHECK(steep.latency == 0);
  CHECK(steep.per_byte > 0.1);
  CHECK(steep.per_byte < 0.2);
}
