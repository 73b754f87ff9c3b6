#include "sim/core/random.hpp"

#include <cmath>
#include <vector>

#include "sim/core/statistics.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

std::vector<double> draws(double (Random::*draw)(), int count) {
  Random random(42);
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& value : values) value = (random.*draw)();
  return values;
}

}  // namespace

TEST_CASE("equal seeds give equal streams, a copy goes on alike") {
  Random a(5);
  Random b(5);
  CHECK(a.bits() == b.bits());
  Random copy = a;
  CHECK(a.normal() == copy.normal());
  CHECK(Random(5).bits() != Random(6).bits());
}

TEST_CASE("the stream of seed 0 is the published one") {
  // Test vector of rand_xoshiro (crates.io), Xoshiro256PlusPlus::seed_from_u64(0).
  Random random(0);
  CHECK(random.bits() == 0x53175D61490B23DFU);
  CHECK(random.bits() == 0x61DA6F3DC380D507U);
  CHECK(random.bits() == 0x5C0FDF91EC9A7BFCU);
}

TEST_CASE("uniform numbers have mean 1/2 and variance 1/12") {
  const std::vector<double> values = draws(&Random::uniform, 100000);
  CHECK_THAT(mean(values), WithinAbs(0.5, 0.004));
  CHECK_THAT(standard_deviation(values), WithinAbs(std::sqrt(1.0 / 12), 0.003));
  CHECK(quantile(values, 0) > 0);
  CHECK(quantile(values, 1) < 1);
}

TEST_CASE("normal numbers have the quantiles of the normal law") {
  const std::vector<double> values = draws(&Random::normal, 100000);
  CHECK_THAT(mean(values), WithinAbs(0, 0.013));
  CHECK_THAT(quantile(values, 0.8413447), WithinAbs(1, 0.02));
  CHECK_THAT(quantile(values, 0.0227501), WithinAbs(-2, 0.04));
}

TEST_CASE("a log-normal draw keeps the centre as its median, of either sign") {
  const Distribution spread{0.5};
  CHECK(spread.draw(3, 0) == 3);
  CHECK_THAT(spread.draw(3, 2), WithinRel(3 * std::exp(1.0), 1e-15));
  CHECK_THAT(spread.draw(-3, -2), WithinRel(-3 / std::exp(1.0), 1e-15));
  CHECK(Distribution{}.draw(3, 5) == 3);
}
