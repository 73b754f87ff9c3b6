#include "sim/training/critical_batch.hpp"

#include <vector>

#include "sim/config/library.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("the critical batch of two trillion tokens, by hand") {
  // ln 2e12 = 28.324; 28.324 x 0.47 = 13.312; e^13.312 = 604,500.
  CHECK_THAT(critical_batch_tokens(2e12), WithinRel(22.91 * 604500 * 5, 0.001));
}

TEST_CASE("at the critical batch half of the tokens are its price") {
  CHECK_THAT(batch_price(9e6, 9e6), WithinRel(0.5, 1e-12));
  CHECK_THAT(batch_price(1e6, 9e6), WithinRel(0.1, 1e-12));
  CHECK(batch_price(0, 9e6) == 0);
  // The source's batch needs a fifth more samples than tiny ones: 1.2, of which a sixth is extra.
  CHECK_THAT(batch_price(1, 5), WithinRel(1.0 / 6, 1e-12));
}

TEST_CASE("samples for a loss grow with one plus batch over critical batch") {
  CHECK_THAT(samples_ratio(300, 100, 100), WithinRel(4.0 / 2, 1e-12));
  CHECK(samples_ratio(100, 100, 7) == 1);
}

TEST_CASE("a law that made the points is found again") {
  std::vector<ReferencePoint> points;
  for (const double batch : {16.0, 64.0, 512.0})
    points.push_back({.batch = batch, .samples = 1000 * (1 + batch / 128)});
  const auto law = fit_batch_law(points);
  REQUIRE(law);
  CHECK_THAT(law->least_samples, WithinRel(1000, 1e-9));
  CHECK_THAT(law->critical_batch, WithinRel(128, 1e-9));
  CHECK(law->worst_error < 1e-9);
  CHECK_FALSE(fit_batch_law(std::vector<ReferencePoint>{points[0]}));
  // If larger batches need fewer samples, there is no such law.
  CHECK_FALSE(fit_batch_law(
      std::vector<ReferencePoint>{{.batch = 1, .samples = 20}, {.batch = 2, .samples = 10}}));
  // If larger batches need equally many, no batch is critical.
  CHECK_FALSE(fit_batch_law(
      std::vector<ReferencePoint>{{.batch = 1, .samples = 16}, {.batch = 2, .samples = 16}}));
}

TEST_CASE("the reference points of Llama 3.1 8B lie within the law's doubt") {
  const Library library = Library::load(TOFN_SOURCE_DIR "/configs");
  const auto law = fit_batch_law(library.find_workload("llama31_8b")->convergence);
  REQUIRE(law);
  CHECK(law->worst_error < 0.05);
  constexpr double length = 8192;
  const double critical = critical_batch_tokens(law->least_samples * length);
  const double ratio = law->critical_batch * length / critical;
  CHECK(ratio > 1 / critical_batch_uncertainty);
  CHECK(ratio < critical_batch_uncertainty);
  CHECK_THAT(ratio, WithinAbs(1.0 / 3, 0.05));  // as the documentation of the law says
}
