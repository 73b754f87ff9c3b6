#include "sim/validation/detection.hpp"

#include "sim/answers/knowledge.hpp"
#include "sim/validation/slowed_sizes.hpp"
#include "tests/catch.hpp"

// Published tables slowed by known factors, held against tables of other makes and of their own.
using namespace tofn;

namespace {

const std::vector<DetectionTrial>& trials() {
  static Library library = Library::load(TOFN_SOURCE_DIR "/configs");
  static const auto all = detection_trials(knowledge_of(library, TOFN_SOURCE_DIR "/configs", {}));
  return all;
}

double found(const DetectionSummary& summary, const MadeFault& fault) {
  for (const DetectionRate& rate : summary.rates)
    if (rate.fault.factor == fault.factor && rate.fault.is_above_a_size == fault.is_above_a_size)
      return rate.found;
  FAIL("no such fault");
  return 0;
}

}  // namespace

TEST_CASE("at 5 % false alarms most tables twice as slow are found") {
  const DetectionSummary known = summary_of(trials(), true, 0.05);
  const DetectionSummary unknown = summary_of(trials(), false, 0.05);
  CHECK(known.healthy > 45);
  CHECK(unknown.healthy > 50);
  CHECK(found(known, {2, false}) >= 0.85);
  CHECK(found(unknown, {2, false}) >= 0.70);
  CHECK(found(known, {2, true}) >= 0.75);
  CHECK(known.area > 0.95);
  CHECK(unknown.area > 0.93);
  // More is found of more.
  for (const DetectionSummary& each : {known, unknown})
    CHECK(found(each, {1.5, false}) < found(each, {2.5, false}));
}

TEST_CASE("what the check asks for is what 5 of 100 healthy tables pass") {
  for (const bool known : {false, true}) {
    const double threshold = summary_of(trials(), known, 0.05).threshold;
    CAPTURE(known, threshold);
    CHECK(alarm_deviations(known) > threshold - 0.4);
    CHECK(alarm_deviations(known) < threshold + 0.4);
  }
}
