#include <map>
#include <string>
#include <vector>

#include "sim/calibration/calibration.hpp"
#include "sim/evidence/shipped.hpp"
#include "sim/timeline/timeline.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;

namespace {

/// Compares the events of each predicted run's step with its prediction, and returns the number of
/// runs. Both tables calibrate, as in compare.
int compare_events(const std::vector<ResolvedRow>& table,
                   const std::vector<ResolvedRow>& background) {
  std::vector<ResolvedRow> all = background;
  all.insert(all.end(), table.begin(), table.end());
  const Calibration calibration(calibration_observations(all));
  int compared = 0;
  const auto predictions = backtest(table, background, {});
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (!predictions[i].prediction) continue;
    const RunDescription& run = *table[i].run;
    CAPTURE(table[i].row.full_name(), table[i].row.inputs.benchmark);
    const RunParameters parameters = calibration.parameters_for(run);
    const auto step =
        step_source(*run.workload, *run.cluster, run.plan, run.settings, parameters.compute);
    const StepTimes& predicted = predictions[i].prediction->step;
    const StepTimes events = simulate(step->work());
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

// The numbers of rows are checked because a lost row would not be compared.
TEST_CASE("the events of every published run's step take as long as compare predicts") {
  Shipped shipped(configs);
  const auto& background = shipped.rows();
  const std::map<std::string, int> scored = {{"mlperf-gpt3.csv", 13},
                                             {"mlperf-training-v4.0.csv", 99},
                                             {"mlperf-training-v4.1.csv", 109},
                                             {"mlperf-training-v5.0.csv", 155},
                                             {"mlperf-training-v5.1.csv", 140}};
  const auto tables = published_tables(configs);
  CHECK(tables.size() == scored.size());
  for (const auto& table : tables) {
    CAPTURE(table);
    CHECK(compare_events(shipped.resolved(table), background) ==
          scored.at(table.filename().string()));
  }
}
