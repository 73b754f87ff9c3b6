#include "sim/diagnosis/detection.hpp"

#include <algorithm>
#include <map>

#include "sim/answers/slow_cases_answer.hpp"
#include "sim/diagnosis/slowed_sizes.hpp"
#include "sim/evidence/knowledge.hpp"
#include "tests/catch.hpp"

// Tests detection of known slowdowns in published tables, with and without other tables of the
// system.
using namespace tofn;

namespace {

Library& library() {
  static Library shipped = Library::load(TOFN_SOURCE_DIR "/configs");
  return shipped;
}

const Knowledge& knowledge() {
  static const Knowledge known = knowledge_of(library(), TOFN_SOURCE_DIR "/configs", {});
  return known;
}

const std::vector<DetectionTrial>& trials() {
  static const auto all = detection_trials(knowledge());
  return all;
}

bool is_first(const std::vector<LikelyCause>& likely, std::string_view name) {
  return likely.front().cause != nullptr && likely.front().cause->name == name;
}

double found(const DetectionSummary& summary, const MadeFault& fault) {
  for (const DetectionRate& rate : summary.rates)
    if (rate.fault.factor == fault.factor && rate.fault.is_above_a_size == fault.is_above_a_size)
      return rate.found;
  FAIL("no such fault");
  return 0;
}

}  // namespace

// The bounds were read off results, and the deviations that count as 5 % are quantiles of the same
// tables (`disclosures`).
TEST_CASE("drift alarm: at 5 % false alarms most tables twice as slow are found") {
  const DetectionSummary known = summary_of(trials(), true, 0.05);
  const DetectionSummary unknown = summary_of(trials(), false, 0.05);
  CHECK(known.healthy > 45);
  CHECK(unknown.healthy > 50);
  CHECK(found(known, {2, false}) >= 0.85);
  CHECK(found(unknown, {2, false}) >= 0.70);
  CHECK(found(known, {2, true}) >= 0.75);
  CHECK(known.area > 0.95);
  CHECK(unknown.area > 0.93);
  // Larger slowdowns are found more often.
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

TEST_CASE("causes that are made up are named from the times alone") {
  struct Count {
    int found = 0;
    int first = 0;
  };
  std::map<std::string_view, Count> of_cause;
  Count all;
  Count known_sweeps;
  for (const CauseTrial& trial : cause_trials(knowledge())) {
    double sum = 0;
    for (const LikelyCause& each : trial.reported) sum += each.probability;
    CHECK(sum > 0.8);
    CHECK(sum < 1 + 1e-9);
    if (!trial.is_found) continue;
    const bool is_right = is_first(trial.reported, trial.made->name);
    for (Count* count : {&all, &of_cause[trial.made->name]})
      ++count->found, count->first += is_right;
    if (trial.system_is_known && trial.is_sweep)
      ++known_sweeps.found, known_sweeps.first += is_right;
  }
  CHECK(all.found > 300);
  CHECK(all.first > 0.6 * all.found);
  CHECK(known_sweeps.first > 0.7 * known_sweeps.found);
  for (const char* name : {"kernel sockets", "missing plugin", "one NIC"})
    CHECK(of_cause[name].first > 0.75 * of_cause[name].found);
}

TEST_CASE("the cause of a published slow table") {
  const auto cases = slow_cases_answer(TOFN_SOURCE_DIR "/configs/measured/slow-collectives.csv",
                                       library(), knowledge());
  REQUIRE(cases.size() == 10);
  const auto named = [&](std::string_view name) {
    const auto each = std::find_if(cases.begin(), cases.end(), [&](const SlowCase& candidate) {
      return candidate.table.source == name;
    });
    REQUIRE(each != cases.end());
    return is_first(each->judgement.likely, each->cause);
  };
  // Alps without the CXI hook, rings where the switch would reduce, and calls without a graph.
  CHECK(named("gh200-without-cxi"));
  CHECK(named("h200-nvls-off-8"));
  CHECK(named("h100-without-graph"));
  CHECK_FALSE(cases.front().judgement.is_normal());
}
