#include <cmath>

#include "sim/answers/goodput_answer.hpp"
#include "sim/answers/runs_answer.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;

namespace {

const std::vector<PublishedRun>& published_runs() {
  static const auto runs = runs_answer(configs, configs / "measured/training-runs.csv");
  return runs;
}

bool any(const PublishedRun&) { return true; }
double predicted(const PublishedRun& run) { return run.predicted(); }
double pooled(const PublishedRun& run) { return run.pooled_hours; }

}  // namespace

TEST_CASE("deadlines are kept as often as draws of runs that others made say") {
  for (const double stated : {0.5, 0.8, 0.9}) {
    INFO(stated);
    CHECK(std::abs(share_kept(published_runs(), stated, true, any) - stated) <= 0.10);
    CHECK(share_kept(published_runs(), stated, false, any) <
          stated - 0.10);  // purpose of the excess
  }
}

TEST_CASE("90 % intervals of a run's days hold so many published runs, families left out") {
  const Coverage held = coverage_of(published_runs(), true);
  CHECK(held.inside == published_coverage.inside);
  CHECK(held.runs == published_coverage.runs);
  // Families have equal weight, as in the fit: five runs of GPT-2 count as much as one other.
  CHECK(share_covered(published_runs(), true) >= 0.86);
  CHECK(share_covered(published_runs(), true) <= 0.94);
  CHECK(coverage_of(published_runs(), false).inside == simulated_coverage.inside);
  CHECK(simulated_coverage.inside < 0.5 * held.runs);  // purpose of the overrun
}

TEST_CASE("the overrun that runs are drawn with is what all published runs teach") {
  std::vector<RunHours> known;
  for (const PublishedRun& run : published_runs())
    if (run.skipped_because.empty()) known.push_back(run.hours);
  // MegaScale and ByteRobust state only their goodput.
  for (const StatedGoodput& run : goodput_answer(configs / "measured/training-runs.csv"))
    if (run.run == "MegaScale 175B" || run.run == "ByteRobust dense model")
      known.push_back(
          {.family = run.run, .goodput = run.stated, .simulated_goodput = run.typical.expected});
  const Overrun learned = overrun_of(typical_hours(known, "", 1));
  CHECK(published_overrun.steps == Approx(learned.steps).epsilon(0.02));
  CHECK(published_overrun.steps_spread == Approx(learned.steps_spread).epsilon(0.02));
  CHECK(published_overrun.excess == Approx(learned.excess).epsilon(0.02));
}

// Errors on 2026-11-28: 37.7 against 36.7 % in the mean and 29.6 against 28.1 in the median. The
// weight of the simulation differs between families. Without Falcon's rough hours in the fit they
// would be 35.4 and 27.7. The median was better, 27.8, until torchtitan's machines were limited to
// 500 W and MaxText's shards were placed in groups of 128.
TEST_CASE("predictions of whole runs are nearer than one utilisation in the mean",
          "[!shouldfail]") {
  CHECK(accuracy_of_hours(published_runs(), predicted, is_whole).mean <
        accuracy_of_hours(published_runs(), pooled, is_whole).mean);
}

TEST_CASE("predictions of whole runs are nearer than one utilisation in the median",
          "[!shouldfail]") {
  CHECK(accuracy_of_hours(published_runs(), predicted, is_whole).median <
        accuracy_of_hours(published_runs(), pooled, is_whole).median);
}
