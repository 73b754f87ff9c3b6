#include "sim/calibration/calibration.hpp"
#include "sim/timeline/timeline.hpp"
#include "tests/catch.hpp"
#include "tests/validation/shipped_backtest.hpp"

using namespace tofn;

TEST_CASE("the events of every published run's step take as long as compare predicts") {
  test::PublishedRounds rounds;
  const std::vector<ResolvedRow>& table = rounds.background;
  const Calibration calibration(calibration_observations(table));
  int compared = 0;
  const auto predictions = backtest(table, table, {.draws = 1});
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (!predictions[i].prediction) continue;
    const RunDescription& run = *table[i].run;
    CAPTURE(table[i].row.full_name(), table[i].row.inputs.benchmark);
    const CalibratedStep step(*run.workload, *run.cluster, run.plan, run.settings,
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
  CHECK(compared == 190);  // of two rounds; a row that is lost would be compared with nothing
}
