#include "sim/curves/measure_next.hpp"

#include <algorithm>
#include <cmath>

#include "tests/catch.hpp"
#include "tests/unit/curves/known_tables.hpp"

namespace tofn {

namespace {

using test::rows_of;
using test::table_of;
using test::WithinRel;

/// Microseconds without growth, with a switch of protocol between 4 KiB and 64 KiB.
double switching(double bytes) { return bytes <= 4096 ? 20 : 60 + bytes / 1e5; }

}  // namespace

TEST_CASE("the far end beyond a table is worth more than its quiet inside") {
  const auto steady = [](double bytes) { return 20 + bytes / 1e5; };
  const CostCurve curve = fit_curve(table_of(rows_of(steady, 4, 24, 4))).curve;
  const std::vector<Suggestion> best = measure_next(curve, 3);
  REQUIRE(best.size() == 3);
  CHECK(best[0].size.base() == std::exp2(26));  // four times the largest measured
  CHECK(best[0].width >= best[1].width);
  CHECK(best[1].width >= best[2].width);
}

TEST_CASE("inside a table the gap with the switch comes first, and no measured size") {
  const CostCurve curve = fit_curve(table_of(rows_of(switching, 4, 34, 2))).curve;
  const std::vector<Suggestion> best = measure_next(curve, 20);
  REQUIRE_FALSE(best.empty());
  CHECK(best[0].size.base() >= 2048);
  CHECK(best[0].size.base() <= 32768);
  for (const Suggestion& suggestion : best) {
    const int octave = static_cast<int>(std::log2(suggestion.size.base()));
    CHECK(octave % 2 == 1);
    const CurveAnswer answer = curve.at(suggestion.size);
    CHECK_THAT(suggestion.width, WithinRel(answer.high / answer.low, 1e-9));
  }
}

TEST_CASE("the node count farthest from those measured comes first") {
  std::vector<CollectiveTable> tables;
  for (const int nodes : {2, 4}) {
    const auto law = [nodes](double bytes) { return 10 + 8 * std::log2(nodes) + bytes / 2e4; };
    tables.push_back(table_of(rows_of(law, 3, 34, 1), nodes, 8 * nodes));
  }
  const std::vector<Suggestion> best = measure_next(fit_nodes(tables), 32, 9);
  REQUIRE(best.size() == 4);  // all sizes of 2 and 4 nodes are measured
  CHECK(best[0].nodes == 32);
  CHECK(best[1].nodes == 16);
}

TEST_CASE("no suggestion lies beyond four times the measured sizes, or does not fit") {
  const CostCurve curve = fit_curve(table_of(rows_of(switching, 12, 24, 4))).curve;
  const auto largest = [&](const Reach& reach) {
    double most = 0;
    double least = 1e30;
    for (const Suggestion& each : measure_next(curve, 99, reach)) {
      most = std::max(most, each.size.base());
      least = std::min(least, each.size.base());
    }
    CHECK(least == 1024);
    return most;
  };
  CHECK(largest({}) == std::exp2(26));
  CHECK(largest({.largest = Bytes(0x1p24 - 1)}) == std::exp2(23));
}

}  // namespace tofn
