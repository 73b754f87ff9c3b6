#include "sim/calibration/calibration.hpp"
#include "sim/evidence/shipped.hpp"
#include "sim/timeline/timeline.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;

namespace {

/// Holds the events of each predicted run's step to what was predicted; returns how many there are.
/// Both tables calibrate, as in compare.
int compare_events(const std::vector<ResolvedRow>& table,
                   const std::vector<ResolvedRow>& background) {
  std::vector<ResolvedRow> all = background;
  all.insert(all.end(), table.begin(), table.end());
  const Calibration calibration(calibration_observations(all));
  int compared = 0;
  const auto predictions = backtest(table, background, {.draws = 1});
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (!predictions[i].prediction) continue;
    const RunDescription& run = *table[i].run;
    CAPTURE(table[i].row.full_name(), table[i].row.inputs.benchmark);
    const TrainingStep step(*run.workload, *run.cluster, run.plan, run.settings,
                            calibration.parameters_for(run).compute);
    const StepTimes& predicted = predictions[i].prediction->expected.step;
    const StepTimes events = simulate(step.work());
    CHECK_THAT(events.total.base(), test::WithinRel(predicted.total.base(), 1e-3));
    for (std::size_t p = 0; p < step_parts.size(); ++p) {
      CAPTURE(step_parts[p].first);
      CHECK_THAT(events.parts[p].base(),
                 test::WithinAbs(predicted.parts[p].base(), 1e-3 * predicted.total.base()));
    }
    ++compared;
  }
  return compared;
}

}  // namespace

// Their numbers, as a row that is lost would be compared with nothing.
TEST_CASE("the events of every published run's step take as long as compare predicts") {
  Shipped shipped(configs);
  CHECK(compare_events(shipped.rows(), {}) == 203);  // v4.0, v4.1, GPT-3
  const auto later = shipped.resolved(configs / "published/mlperf-training-v5.0.csv");
  CHECK(compare_events(later, shipped.rows()) == 155);
}
