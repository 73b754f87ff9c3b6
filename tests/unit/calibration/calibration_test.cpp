#include "sim/calibration/calibration.hpp"

#include <cmath>

#include "sim/calibration/carried_spreads.hpp"
#include "sim/core/error.hpp"
#include "tests/catch.hpp"
#include "tests/unit/training/synthetic_runs.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// T1 was observed with releases 24.04 (efficiency 0.4) and 24.10 (0.5). T2, which was not
/// observed, has twice the peak and 1.5 times the memory bandwidth.
class Calibrations {
 public:
  Calibrations() {
    other.accelerator = synthetic_accelerator("T2");
    other.accelerator.peak[static_cast<std::size_t>(Precision::Bf16)] = {FlopsPerSecond{2e15}};
    other.accelerator.memory_bandwidth = {BytesPerSecond{3e12}};
    add(cluster, 0.40, "24.04");
    add(cluster, 0.50, "24.10");
  }
  void add(const Cluster& on, double efficiency, const std::string& release) {
    ComputeProfile profile;
    profile.efficiency = efficiency;
    profile.overhead = 10_ms;
    for (const double batch : {2.0, 4.0, 8.0})
      observations.push_back(observed(synthetic_run(workload, on, batch, release), profile));
  }
  RunParameters parameters(const RunDescription& run) const {
    return Calibration(observations).parameters_for(run);
  }
  ComputeProfile profile(const Cluster& on, const std::string& release, double batch = 4) const {
    return parameters(synthetic_run(workload, on, batch, release)).compute;
  }

  Workload workload = synthetic_workload();
  Cluster cluster = synthetic_cluster();
  Cluster other = synthetic_cluster();
  std::vector<Observation> observations;
};

constexpr double least_spread = 0.015;  // for a release of several systems
constexpr double exact = 1e-4;          // for a fit to steps without noise

}  // namespace

TEST_CASE_METHOD(Calibrations, "a run at an observed release takes that release's efficiency") {
  const ComputeProfile found = profile(cluster, "24.04");
  CHECK_THAT(found.efficiency, WithinRel(0.40, exact));
  CHECK_THAT(found.efficiency_spread, WithinRel(least_spread, 1e-6));
  CHECK_THAT(found.overhead.base(), WithinRel(0.010, exact));
  CHECK(found.basis == Basis::Interpolated);
  CHECK(found.overhead_basis == Basis::Interpolated);
  CHECK(found.origin == "T1 24.04");
  CHECK(found.split_was_observed);
  CHECK_THAT(profile(cluster, "24.10").efficiency, WithinRel(0.50, exact));
}

TEST_CASE_METHOD(Calibrations, "a batch outside the observed ones is extrapolated") {
  CHECK(profile(cluster, "24.10", 8).basis == Basis::Interpolated);
  CHECK(profile(cluster, "24.10", 9).basis == Basis::Extrapolated);
  CHECK(profile(cluster, "24.10", 1).overhead_basis == Basis::Extrapolated);
}

TEST_CASE_METHOD(Calibrations, "a run at another release takes the nearest one, less certain") {
  const ComputeProfile later = profile(cluster, "25.02");
  CHECK_THAT(later.efficiency, WithinRel(0.50, exact));
  CHECK_THAT(later.efficiency_spread,
             WithinRel(std::hypot(least_spread, carried_spreads.release), 1e-6));
  CHECK(later.basis == Basis::Extrapolated);
  CHECK(later.origin == "T1 24.10");
  CHECK(profile(cluster, "24.06").origin == "T1 24.04");  // 2 months after 24.04, 4 before 24.10
  CHECK(profile(cluster, "23.01").origin == "T1 24.04");
}

TEST_CASE_METHOD(Calibrations, "a run that states no release is taken for the newest software") {
  CHECK(profile(cluster, "").origin == "T1 24.10");
  CHECK(profile(cluster, "").basis == Basis::Extrapolated);
}

TEST_CASE_METHOD(Calibrations, "an efficiency is carried to another accelerator by its roofline") {
  // Without two accelerators to compare, 20 % of the time is assumed to wait for memory. At equal
  // efficiency T2's arithmetic takes 1/2 of T1's time, and its memory 1/1.5, so the step takes
  // 0.8/2 + 0.2/1.5 = 8/15. At T1's efficiency it would take 1/2, so T2's is 0.5 * (1/2) / (8/15) =
  // 0.46875.
  const ComputeProfile carried = profile(other, "24.10");
  CHECK_THAT(carried.efficiency, WithinRel(0.46875, exact));
  CHECK_THAT(carried.efficiency_spread,
             WithinRel(std::hypot(least_spread, carried_spreads.accelerator), 1e-6));
  CHECK(carried.basis == Basis::Formula);
  CHECK_THAT(carried.overhead.base(), WithinRel(0.010, exact));
  CHECK(carried.origin == "T1 24.10");
  const ComputeProfile both = profile(other, "24.07");  // 3 months after 24.04, 3 before 24.10
  CHECK_THAT(both.efficiency_spread, WithinRel(std::hypot(least_spread, carried_spreads.accelerator,
                                                          carried_spreads.release),
                                               1e-6));
}

TEST_CASE_METHOD(Calibrations, "an accelerator with observations of its own needs no roofline") {
  add(other, 0.30, "24.10");
  CHECK_THAT(profile(other, "24.10").efficiency, WithinRel(0.30, exact));
  CHECK(profile(other, "24.10").origin == "T2 24.10");
  CHECK(profile(other, "24.04").origin == "T2 24.10");  // not from T1's release 24.04
}

TEST_CASE_METHOD(Calibrations, "an efficiency is carried to another precision of one accelerator") {
  RunDescription run = synthetic_run(workload, cluster, 4);
  run.settings.precision = Precision::Fp8;
  const ComputeProfile carried = parameters(run).compute;
  // Twice the peak with the same memory gives (1/2) / (0.8/2 + 0.2) = 5/6 of 0.5.
  CHECK_THAT(carried.efficiency, WithinRel(0.5 * 5 / 6, exact));
  CHECK(carried.precision.matmul == Precision::Fp8);
  CHECK_THAT(carried.efficiency_spread,
             WithinRel(std::hypot(least_spread, carried_spreads.precision), 1e-6));
  CHECK(carried.basis == Basis::Formula);
}

TEST_CASE_METHOD(Calibrations, "what was learnt in one domain is less certain in more") {
  RunDescription run = synthetic_run(workload, cluster, 4);
  CHECK(parameters(run).compute.step_spread == 0);
  run.plan.data_parallel_size = 16;  // the cluster's domains have 8
  CHECK(parameters(run).compute.step_spread == carried_spreads.domains);
}

TEST_CASE_METHOD(Calibrations,
                 "an accelerator learns from one of its architecture that five told") {
  const auto hopper = [](const char* name) {
    Cluster made = synthetic_cluster(synthetic_accelerator(name));
    made.accelerator.architecture = Architecture::Hopper;
    return made;
  };
  const Cluster related = hopper("T3");
  const Cluster request = hopper("T4");
  add(related, 0.30, "24.10");  // three runs
  CHECK(profile(request, "24.10").origin == "T1 24.10");
  add(related, 0.30, "24.10");
  CHECK(profile(request, "24.10").origin == "T3 24.10");
  CHECK_THAT(profile(request, "24.10").efficiency, WithinRel(0.30, exact));
}

TEST_CASE_METHOD(Calibrations, "reference points hold up to their round, and for its code") {
  const double batch = synthetic_run(workload, cluster, 4).plan.global_batch();
  workload.convergence = {{.batch = batch, .samples = 100, .runs = 10},
                          {.batch = 2 * batch, .samples = 200, .runs = 10}};
  workload.replaced_convergence = {{{.batch = batch, .samples = 130, .runs = 10}, 4.1}};
  const auto samples = [&](std::optional<double> round, const std::string& release) {
    RunDescription run = synthetic_run(workload, cluster, 4, release);
    run.round = round;
    return parameters(run).samples.expected;
  };
  CHECK(samples({}, "") == 100);
  CHECK(samples(4.1, "") == 130);
  CHECK(samples(5.0, "25.04") == 100);
  CHECK(samples(5.0, "24.09") == 130);  // samples as the code of round 4.1 has it
  CHECK(samples({}, "24.11") == 100);
}

TEST_CASE_METHOD(Calibrations,
                 "a split over accelerators that was never observed is less certain") {
  workload.tensor_parallel = TensorParallelTraffic{.layers = {1},
                                                   .forward_collectives = {1},
                                                   .backward_collectives = {1},
                                                   .payload = {Bytes{1e6}}};
  for (Observation& each : observations) each.evaluation_each = 5_s;
  RunDescription run = synthetic_run(workload, cluster, 4);
  const auto evaluation_spread = [&] { return parameters(run).evaluation_factor.spread; };
  const double observed = evaluation_spread();
  CHECK(observed >= 0.10);
  run.plan.tensor_parallel_size = 2;
  run.plan.data_parallel_size = 4;
  const ComputeProfile found = parameters(run).compute;
  CHECK_FALSE(found.split_was_observed);
  CHECK_THAT(found.efficiency_spread,
             WithinRel(std::hypot(least_spread, carried_spreads.split), 1e-6));
  CHECK(found.basis == Basis::Extrapolated);
  CHECK_THAT(evaluation_spread(),
             WithinRel(std::hypot(observed, carried_spreads.evaluation), 1e-9));
}

// One batch alone cannot separate the overhead from the efficiency.
TEST_CASE_METHOD(Calibrations, "an overhead is borrowed with less doubt from the same vendor") {
  ComputeProfile true_profile;
  true_profile.efficiency = 0.30;
  true_profile.overhead = 10_ms;
  observations.push_back(observed(synthetic_run(workload, other, 4), true_profile));
  CHECK_THAT(profile(other, "24.10").overhead.base(), WithinRel(0.010, exact));
  CHECK(profile(other, "24.10").overhead_spread == 0.15);
  other.accelerator.vendor = "Other";
  CHECK_THAT(profile(other, "24.10").overhead.base(), WithinRel(0.010, exact));
  CHECK(profile(other, "24.10").overhead_spread == 0.5);
}

TEST_CASE_METHOD(Calibrations, "a workload that nobody observed is refused by name") {
  const RunDescription run = synthetic_run(workload, cluster, 4);
  constexpr const char* text = "no calibration: no one-domain run of tiny was observed";
  CHECK_THROWS_WITH(Calibration({}).parameters_for(run), Equals(text));
  Observation without_step = observations.front();
  without_step.step.reset();
  CHECK_THROWS_WITH(Calibration({without_step}).parameters_for(run), Equals(text));
  CHECK_THROWS_AS(Calibration({}).parameters_for(run), InputError);
}

TEST_CASE_METHOD(Calibrations, "evaluations apart from the run tell nothing of what passes take") {
  workload.evaluation.mode = EvaluationMode::Offline;
  const RunDescription run = synthetic_run(workload, cluster, 4);
  const EvaluationCost typical = parameters(run).evaluation;
  for (Observation& each : observations) each.evaluation_each = 5_s;
  const RunParameters found = parameters(run);
  CHECK(found.evaluation.per_forward == typical.per_forward);
  CHECK(found.evaluation.host == typical.host);
  CHECK(found.evaluation_factor.value == 1);
}

TEST_CASE_METHOD(Calibrations, "fixed time follows the release, evaluation the accelerator") {
  add(other, 0.30, "24.10");
  for (Observation& each : observations) {
    const bool is_other = each.run.cluster == &other;
    const bool is_old = each.run.settings.software_release == "24.04";
    if (is_old || is_other) each.fixed = is_other ? 50_s : 100_s;
    const Run run = benchmark_run(each.run, assumed_parameters(each.run));
    const Evaluations passes = evaluations_of(*run.benchmark);
    if (is_old || is_other)
      each.evaluation_each =
          (is_other ? 3 : 1) * run.stretches[0].step->forward_pass(passes.samples, passes.passes);
  }
  const RunParameters found = parameters(synthetic_run(workload, cluster, 4, "24.10"));
  CHECK(found.fixed.value == 50);  // from T2 at 24.10, not from T1 at 24.04
  CHECK(found.fixed.spread == 1);  // at least a second
  CHECK(found.fixed.basis == Basis::Extrapolated);
  CHECK_FALSE(found.fixed_is_in_steps);
  const RunParameters of_other = parameters(synthetic_run(workload, other, 4, "24.10"));
  CHECK(of_other.fixed.basis == Basis::Interpolated);
  CHECK(of_other.evaluation_factor.value > found.evaluation_factor.value);
  CHECK(found.evaluation_factor.basis == Basis::Extrapolated);  // from T1 at another release
  CHECK(of_other.evaluation_factor.basis == Basis::Interpolated);
  CHECK_THAT(found.evaluation_factor.spread, WithinRel(0.10, 1e-6));  // the least
}

TEST_CASE_METHOD(Calibrations, "one system's start-up decides nothing where others are near") {
  // One system of 24.10 is left, which waits for 2,000 s; three of 24.04 wait for 3, 4 and 5 s.
  double seconds = 3;
  int left = 0;
  for (Observation& each : observations) {
    const bool is_old = each.run.settings.software_release == "24.04";
    if (is_old)
      each.fixed = Seconds{seconds++};
    else if (left++ == 0)
      each.fixed = 2000_s;
  }
  const auto fixed = [&](const Cluster& on, const char* release) {
    return parameters(synthetic_run(workload, on, 4, release)).fixed;
  };
  CHECK(fixed(cluster, "24.10").value == 4.5);  // the median of 3, 4, 5 and 2,000
  CHECK(fixed(cluster, "24.04").value == 4);    // of its own three
  // Systems of another vendor say nothing where some of the own are known.
  other.accelerator.vendor = "another vendor";
  add(other, 0.5, "24.10");
  for (Observation& each : observations)
    if (each.run.cluster == &other) each.fixed = 300_s;
  CHECK(fixed(cluster, "24.10").value == 4.5);
  CHECK(fixed(other, "24.10").value == 300);
}

TEST_CASE_METHOD(Calibrations, "negative fixed time is counted in steps") {
  for (Observation& each : observations) each.fixed = -12 * *each.step;
  const RunParameters found = parameters(synthetic_run(workload, cluster, 4, "24.10"));
  CHECK(found.fixed_is_in_steps);
  CHECK_THAT(found.fixed.value, WithinRel(-12.0, 1e-6));
  CHECK(found.fixed.spread == 3);
}

TEST_CASE_METHOD(Calibrations, "samples to target come with the calibration") {
  const SamplesToTarget samples = parameters(synthetic_run(workload, cluster, 1)).samples;
  CHECK(samples.expected == 10000);  // batch 8 is a reference point
  CHECK(samples.run_deviation == 500);
}

TEST_CASE_METHOD(Calibrations, "assumed parameters say that they are assumed") {
  const RunParameters assumed = assumed_parameters(synthetic_run(workload, cluster, 1));
  CHECK(assumed.compute.efficiency == 0.4);
  CHECK(assumed.compute.efficiency_spread == 0.3);
  CHECK(assumed.compute.basis == Basis::Assumed);
  CHECK(assumed.compute.origin == "assumed");
  CHECK(assumed.fixed.basis == Basis::Assumed);
  CHECK(assumed.evaluation_factor.basis == Basis::Assumed);
}

TEST_CASE(
    "captured runs of what ran captured have its overhead, of other workloads so much an "
    "operator") {
  const Workload captured = synthetic_workload();  // 400 operators
  Workload launched = synthetic_workload();
  launched.name = "launched";
  launched.layers[0].forward_operators = launched.layers[0].backward_operators = 100;
  Cluster cluster = synthetic_cluster();
  cluster.accelerator.vendor = "NVIDIA";  // other vendors capture nothing
  std::vector<Observation> seen;
  const auto run = [&](const Workload& workload, double batch, CudaGraphs graphs) {
    RunDescription made = synthetic_run(workload, cluster, batch);
    made.settings.cuda_graphs = graphs;
    return made;
  };
  ComputeProfile truth;
  truth.efficiency = 0.5;
  for (const double batch : {2.0, 4.0, 8.0}) {
    truth.overhead = 10_ms;
    seen.push_back(observed(run(captured, batch, CudaGraphs::FullIteration), truth));
    truth.overhead = 40_ms;
    seen.push_back(observed(run(launched, batch, CudaGraphs::Layer), truth));
  }
  const Calibration calibration(seen);
  const auto profile = [&](const Workload& workload) {
    return calibration.parameters_for(run(workload, 4, CudaGraphs::FullIteration)).compute;
  };
  CHECK_THAT(profile(captured).overhead.base(), WithinRel(0.010, exact));
  CHECK(profile(captured).overhead_basis == Basis::Interpolated);
  CHECK_THAT(profile(launched).overhead.base(), WithinRel(0.010 / 400 * 200, exact));
  CHECK(profile(launched).overhead_basis == Basis::Formula);
}
