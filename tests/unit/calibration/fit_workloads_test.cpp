#include "sim/calibration/fit_workloads.hpp"

#include "sim/calibration/calibration.hpp"
#include "tests/catch.hpp"
#include "tests/unit/training/synthetic_runs.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

class Workloads {
 public:
  Observation converged(double micro_batch, double samples, std::optional<double> deviation) const {
    Observation seen;
    seen.run = synthetic_run(workload, cluster, micro_batch);
    seen.samples = samples;
    seen.samples_deviation = deviation;
    return seen;
  }
  Observation stepped(const Cluster& on, std::optional<Seconds> evaluation = {}) const {
    Observation seen;
    seen.run = synthetic_run(workload, on, 1);
    seen.step = 100_ms;
    seen.evaluation_each = evaluation;
    return seen;
  }

  Workload workload = synthetic_workload();
  Cluster cluster = synthetic_cluster();
  Cluster other = synthetic_cluster(synthetic_accelerator("T2"));
};

AcceleratorFit fit_of_releases(std::vector<StepFit::Release> releases) {
  AcceleratorFit fit;
  fit.accelerator = synthetic_accelerator();
  fit.steps.releases = std::move(releases);
  return fit;
}

}  // namespace

TEST_CASE_METHOD(Workloads, "a batch that five systems ran becomes a convergence point") {
  std::vector<Observation> seen{converged(2, 11000, 400), converged(2, 12000, 600),
                                converged(2, 11500, {}), converged(2, 19000, 500)};
  CHECK(convergence_points(workload, pointers(seen)).size() == 2);
  seen.push_back(converged(2, 11200, 450));
  const auto points = convergence_points(workload, pointers(seen));
  REQUIRE(points.size() == 3);
  CHECK(points[1].batch == 16);       // 8 replicas of 2, between the reference points 8 and 800
  CHECK(points[1].samples == 11500);  // the median ignores 19000
  CHECK_THAT(points[1].standard_deviation, WithinRel(475.0, 1e-6));  // median of 400, 450, 500, 600
  CHECK(points[1].runs == 50);
}

TEST_CASE_METHOD(Workloads, "observed samples never replace a reference point") {
  const std::vector<Observation> seen(6, converged(1, 7000, 100));  // batch 8
  const auto points = convergence_points(workload, pointers(seen));
  REQUIRE(points.size() == 2);
  CHECK(points[0].samples == 10000);
}

TEST_CASE_METHOD(Workloads, "systems without a deviation make no convergence point") {
  const std::vector<Observation> seen(6, converged(2, 7000, {}));
  CHECK(convergence_points(workload, pointers(seen)).size() == 2);
}

TEST_CASE_METHOD(Workloads, "a step is clean unless it holds evaluation that nobody logged") {
  CHECK(step_is_clean(stepped(cluster)));  // overlapped evaluation is not in the step
  workload.evaluation.mode = EvaluationMode::Offline;
  CHECK(step_is_clean(stepped(cluster)));
  workload.evaluation.mode = EvaluationMode::Inline;
  CHECK_FALSE(step_is_clean(stepped(cluster)));
  CHECK(step_is_clean(stepped(cluster, 5_s)));
}

TEST_CASE_METHOD(Workloads, "unclean steps count only where an accelerator has no clean one") {
  workload.evaluation.mode = EvaluationMode::Inline;
  const std::vector<Observation> seen{stepped(cluster, 5_s), stepped(cluster), stepped(other),
                                      stepped(other)};
  const auto steps = pointers(seen);
  const auto groups = steps_by_accelerator(steps);
  REQUIRE(groups.size() == 2);
  CHECK(groups[0] == std::vector<const Observation*>{steps[2], steps[3]});  // largest group first
  CHECK(groups[1] == std::vector<const Observation*>{steps[0]});
}

TEST_CASE_METHOD(Workloads, "a precision that is not stated is the usual one of the accelerator") {
  std::vector<Observation> seen{stepped(cluster), stepped(cluster), stepped(cluster),
                                stepped(cluster), stepped(other)};
  seen[0].run.settings.precision = seen[1].run.settings.precision = Precision::Fp8;
  seen[2].run.settings.precision = Precision::Bf16;
  const auto filled = with_default_settings(seen);
  CHECK(filled[2].run.settings.precision == Precision::Bf16);
  CHECK(filled[3].run.settings.precision == Precision::Fp8);
  CHECK_FALSE(filled[4].run.settings.precision.has_value());
}

TEST_CASE_METHOD(Workloads, "FP8 attention that is not stated is the usual one of the split") {
  std::vector<Observation> seen(5, stepped(cluster));
  for (const int i : {2, 3, 4}) seen[i].run.plan.tensor_parallel_size = 2;
  seen[0].run.settings.fp8_attention = true;
  seen[2].run.settings.fp8_attention = seen[3].run.settings.fp8_attention = false;
  const auto filled = with_default_settings(seen);
  CHECK(filled[1].run.settings.fp8_attention == true);
  CHECK(filled[4].run.settings.fp8_attention == false);
}

TEST_CASE_METHOD(Workloads, "the spread of servers is the median over releases of five systems") {
  std::vector<WorkloadCalibration> calibrations(2);
  CHECK(measured_server_spread(calibrations).groups == 0);
  CHECK(measured_server_spread(calibrations).relative == 0);
  const auto release = [](double spread, int observations) {
    return StepFit::Release{.name = "24.10",
                            .efficiency = 0.4,
                            .spread = 0.5,
                            .server_spread = spread,
                            .observations = observations};
  };
  calibrations[0].accelerators = {fit_of_releases({release(0.01, 5), release(0.9, 4)})};
  calibrations[1].accelerators = {fit_of_releases({release(0.04, 7)}),
                                  fit_of_releases({release(0.02, 9)})};
  CHECK(measured_server_spread(calibrations).relative == 0.02);
  CHECK(measured_server_spread(calibrations).groups == 3);
}

TEST_CASE_METHOD(Workloads, "two accelerators of one peak tell the share that memory bounds") {
  other.accelerator.memory_bandwidth = {BytesPerSecond{3e12}};  // T1 has 2e12
  WorkloadCalibration calibration;
  calibration.workload = &workload;
  calibration.accelerators = {fit_of_releases({{.name = "24.10", .efficiency = 0.40}}),
                              fit_of_releases({{.name = "24.10", .efficiency = 0.44}})};
  calibration.accelerators[1].accelerator = other.accelerator;
  // 1.5 times the bandwidth shortens the step 1.1 times, so 0.1/0.5 of it waits for memory.
  const auto share = measured_memory_share(calibration);
  REQUIRE(share.has_value());
  CHECK_THAT(*share, WithinRel(0.2, 1e-6));
  calibration.accelerators[1].steps.releases[0].efficiency = 0.70;  // more than memory can explain
  CHECK_FALSE(measured_memory_share(calibration).has_value());
  calibration.accelerators[1].steps.releases[0].efficiency = 0.44;
  calibration.accelerators[1].steps.releases[0].name = "24.04";
  CHECK_FALSE(measured_memory_share(calibration).has_value());
}

TEST_CASE_METHOD(Workloads, "accelerators of other peaks or other splits tell no share of memory") {
  other.accelerator.memory_bandwidth = {BytesPerSecond{3e12}};
  WorkloadCalibration calibration;
  calibration.workload = &workload;
  calibration.accelerators = {fit_of_releases({{.name = "24.10", .efficiency = 0.40}}),
                              fit_of_releases({{.name = "24.10", .efficiency = 0.44}})};
  AcceleratorFit& first = calibration.accelerators[0];
  AcceleratorFit& second = calibration.accelerators[1];
  second.accelerator = other.accelerator;
  const auto is_reported = [&] { return measured_memory_share(calibration).has_value(); };
  REQUIRE(is_reported());
  auto& peak = *second.accelerator.peak[static_cast<std::size_t>(second.precision)];
  peak.value = 2 * peak.value;
  CHECK_FALSE(is_reported());
  peak.value = peak.value / 2;
  second.steps.splits.push_back({.split = {2, 1}});
  CHECK_FALSE(is_reported());
  first.steps.splits.push_back({.split = {2, 1}});
  CHECK(is_reported());
  first.steps.splits.push_back({.split = {4, 1}});
  CHECK_FALSE(is_reported());
}

TEST_CASE_METHOD(Workloads, "figures are medians by accelerator and release") {
  const std::vector<Observation> seen{stepped(cluster), stepped(cluster), stepped(cluster),
                                      stepped(other)};
  const auto from = pointers(seen);
  const std::vector<LabelledValue> values{
      {from[0], 10}, {from[1], 12}, {from[2], 20}, {from[3], 7}};
  const auto figures = release_figures(values, false);
  REQUIRE(figures.size() == 2);
  CHECK(figures[0].accelerator == "T1");
  CHECK(figures[0].release == "24.10");
  CHECK(figures[0].value == 12);
  CHECK_THAT(figures[0].spread, WithinRel(1.4826 * 2, 1e-6));  // median of the distances 2, 0, 8
  CHECK_THAT(release_figures(values, true)[0].spread, WithinRel(1.4826 * 2 / 12, 1e-6));
  CHECK(figures[1].value == 7);
  CHECK(figures[1].spread == 0);
}
