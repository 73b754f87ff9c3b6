#include <sstream>
#include <string>

#include "sim/blocks/csv_rows.hpp"
#include "sim/calibration/choose_run.hpp"
#include "sim/evidence/shipped.hpp"
#include "sim/sweep/row_maker.hpp"
#include "sim/training/run.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const std::filesystem::path workload_rows_configs =
    std::filesystem::path(TOFN_SOURCE_DIR) / "configs";

/// Prediction of `tofn predict` for a workload on H100.
struct Predicted {
  RunDescription run;
  RunBreakdown expected;
  RunEstimate estimate;
};
Predicted predicted(const Library& library, const Calibration& calibration, const char* workload,
                    int accelerators) {
  OpenDescription request;
  request.workload = library.find_workload(workload);
  request.cluster = library.find_cluster("dgx-h100");
  request.settings.software_release =
      newest_release(calibration, *request.workload, request.cluster->accelerator);
  Predicted result;
  result.run = choose_run(request, accelerators, calibration);
  const Run run = benchmark_run(result.run, calibration);
  result.expected = run.expected();
  result.estimate = estimate(run);
  return result;
}

}  // namespace

TEST_CASE("a point of a workload is the run that is predicted") {
  Shipped shipped(workload_rows_configs);
  Library& library = shipped.library();
  const Calibration& calibration = shipped.calibration();
  const TemporaryFile file("workload-sweep.yaml",
                           "name: test\ntitle: a test\nbase:\n  cluster: dgx-h100\n"
                           "axes:\n  - path: workload\n    values: [bert, llama2_70b_lora]\n"
                           "  - path: accelerators\n    values: [8, 64]\n"
                           "columns: [batch, step_s, compute_s, communication_exposed_s, "
                           "time_to_train_min, time_to_train_min_low90, time_to_train_min_high90, "
                           "accelerator_hours, samples, energy_kwh, cost_usd]\n");
  const Sweep sweep = load_sweep(file.path());
  const SweepSources sources(sweep, workload_rows_configs, library, &calibration);
  const RowLayout layout = layout_of(sources);
  std::istringstream lines(RowMaker(sources, layout).rows(0, 4));
  for (const char* workload : {"bert", "llama2_70b_lora"})
    for (const int accelerators : {8, 64}) {
      INFO(workload << " on " << accelerators);
      std::string line;
      REQUIRE(std::getline(lines, line));
      const auto cells = csv_cells(line);
      REQUIRE(cells.size() == 14);  // the point, two axes, eleven columns
      const Predicted by = predicted(library, calibration, workload, accelerators);
      const RunBreakdown& run = by.expected;
      const double minutes = run.total().time.base() / 60;
      const double figures[] = {by.run.plan.global_batch(),
                                run.step.total.base(),
                                part(run.step.parts, StepPart::Compute).base(),
                                run.step.exposed().time.base(),
                                minutes,
                                minutes * by.estimate.time.interval.low,
                                minutes * by.estimate.time.interval.high,
                                by.estimate.expense.run.expected.base() / 3600 * accelerators,
                                run.samples,
                                by.estimate.expense.energy.total().base() / 3.6e6,
                                by.estimate.expense.usd.value()};
      for (std::size_t i = 0; i < 11; ++i) {
        INFO(layout.columns()[i + 3].name);
        CHECK_THAT(std::stod(cells[i + 3]), WithinRel(figures[i], 1e-8));
      }
    }
}
