#include "sim/validation/score.hpp"

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

ScoredRow row(double measured, double predicted, double low, double high) {
  ScoredRow made;
  made.measured = Seconds(measured);
  made.predicted = Seconds(predicted);
  made.low = Seconds(low);
  made.high = Seconds(high);
  return made;
}

}  // namespace

TEST_CASE("a summary of four rows, by hand") {
  // Errors are +10, -20, +30 and 0 %. The third interval ends too early, and the second begins at
  // its value.
  const std::vector rows{row(10, 11, 9, 12), row(10, 8, 10, 11), row(10, 13, 11, 15),
                         row(10, 10, 10, 10)};
  const Accuracy summary = accuracy_of(rows);
  CHECK(summary.count == 4);
  CHECK_THAT(summary.median, WithinRel(0.15, 1e-12));
  CHECK_THAT(summary.ninetieth, WithinRel(0.27, 1e-12));  // 0.2 + 0.7 x 0.1
  CHECK_THAT(summary.worst, WithinRel(0.3, 1e-12));
  CHECK_THAT(summary.bias, WithinRel(0.05, 1e-12));
  CHECK_THAT(summary.held.value().shares.back(), WithinRel(0.75, 1e-12));
}

TEST_CASE("nothing scored is no error") {
  const Accuracy summary = accuracy_of(std::vector<ScoredRow>{});
  CHECK(summary.count == 0);
  CHECK(summary.worst == 0);
}
