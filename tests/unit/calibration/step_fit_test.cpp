#include "sim/calibration/step_fit.hpp"

#include "sim/calibration/determined_terms.hpp"
#include "tests/catch.hpp"
#include "tests/unit/training/synthetic_runs.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

constexpr double recovery = 0.005;  // relative

ComputeProfile profile_of(double efficiency, Seconds overhead, double overlap_loss = 0) {
  ComputeProfile profile;
  profile.efficiency = efficiency;
  profile.overhead = overhead;
  profile.overlap_loss = overlap_loss;
  return profile;
}

/// A workload whose step also has gradients and an optimizer, which the fit must subtract.
Workload communicating_workload() {
  Workload workload = synthetic_workload();
  workload.gradients.synchronisation = {{.collective = CollectiveKind::AllReduce,
                                         .group = SyncGroup::Data,
                                         .payload = SyncPayload::Gradients,
                                         .overlaps = Overlap::Backward,
                                         .when = SyncWhen::Always}};
  workload.optimizer.bytes_per_parameter = {16};
  workload.tensor_parallel = TensorParallelTraffic{.layers = {10},
                                                   .forward_collectives = {4},
                                                   .backward_collectives = {4},
                                                   .payload = {Bytes{4e6}}};
  workload.context_parallel = ContextParallelTraffic{.layers = {10}, .payload = {Bytes{1e6}}};
  return workload;
}

class StepFits {
 public:
  Observation at(double batch, const ComputeProfile& profile, const std::string& release) const {
    return observed(synthetic_run(workload, cluster, batch, release), profile);
  }
  std::vector<Observation> at_batches(const std::vector<double>& batches,
                                      const ComputeProfile& profile,
                                      const std::string& release = "24.10") const {
    std::vector<Observation> seen;
    seen.reserve(batches.size());
    for (const double batch : batches) seen.push_back(at(batch, profile, release));
    return seen;
  }
  Observation split(int tensor, int context, bool overlaps, const ComputeProfile& profile) const {
    RunDescription run = synthetic_run(workload, cluster, 4);
    run.plan.tensor_parallel_size = tensor;
    run.plan.context_parallel_size = context;
    run.plan.data_parallel_size = 8 / tensor / context;
    run.settings.tensor_overlap = overlaps;
    return observed(run, profile);
  }

  Workload workload = communicating_workload();
  Cluster cluster = synthetic_cluster();
};

}  // namespace

TEST_CASE_METHOD(StepFits, "a step fit recovers efficiency and overhead") {
  const auto profile = profile_of(0.45, 20_ms);
  auto seen = at_batches({1, 2, 4, 8, 16}, profile);
  RunDescription accumulating = synthetic_run(workload, cluster, 4);
  accumulating.plan.gradient_accumulation = 3;
  seen.push_back(observed(accumulating, profile));
  const StepFit fit = fit_steps(pointers(seen), Learned::Overhead, {});
  REQUIRE(fit.releases.size() == 1);
  CHECK(fit.releases[0].name == "24.10");
  CHECK_THAT(fit.releases[0].efficiency, WithinRel(0.45, recovery));
  CHECK_THAT(fit.overhead.base(), WithinRel(0.020, recovery));
  CHECK(fit.worst_residual < 0.001);
  CHECK(fit.smallest_batch == 1);
  CHECK(fit.largest_batch == 16);
  CHECK(fit.releases[0].observations == 6);
  CHECK(fit.releases[0].spread == 0.015);  // the smallest spread of equal servers
}

TEST_CASE_METHOD(StepFits, "one slow server does not tilt a step fit") {
  auto seen = at_batches({1, 1, 2, 2, 4, 4, 8, 8, 16, 16}, profile_of(0.45, 20_ms));
  *seen[7].step *= 1.05;
  const StepFit fit = fit_steps(pointers(seen), Learned::Overhead, {});
  CHECK_THAT(fit.releases[0].efficiency, WithinRel(0.45, recovery));
  CHECK_THAT(fit.overhead.base(), WithinRel(0.020, recovery));
  CHECK_THAT(fit.worst_residual, WithinRel(1 - 1 / 1.05, 0.05));
  CHECK(fit.releases[0].server_spread < 0.002);
}

TEST_CASE_METHOD(StepFits, "two releases share the overhead and have an efficiency each") {
  auto seen = at_batches({1, 4, 16}, profile_of(0.40, 20_ms), "24.04");
  for (const auto& each : at_batches({2, 8}, profile_of(0.50, 20_ms), "24.10"))
    seen.push_back(each);
  const StepFit fit = fit_steps(pointers(seen), Learned::Overhead, {});
  REQUIRE(fit.releases.size() == 2);
  CHECK(fit.releases[0].name == "24.04");
  CHECK_THAT(fit.releases[0].efficiency, WithinRel(0.40, recovery));
  CHECK(fit.releases[0].observations == 3);
  CHECK_THAT(fit.releases[1].efficiency, WithinRel(0.50, recovery));
  CHECK(fit.releases[1].observations == 2);
  CHECK_THAT(fit.overhead.base(), WithinRel(0.020, recovery));
}

TEST_CASE_METHOD(StepFits, "an overhead that would be negative is none") {
  auto seen = at_batches({1, 2, 4, 8, 16}, profile_of(0.45, 0_ms));
  for (Observation& each : seen) *each.step *= 1 + each.run.plan.micro_batch / 100;
  const StepFit fit = fit_steps(pointers(seen), Learned::Overhead, {});
  CHECK(fit.overhead == 0_s);
  CHECK(fit.overhead_spread == 0);
  CHECK(fit.releases[0].efficiency > 0.45 / 1.16);
  CHECK(fit.releases[0].efficiency < 0.45);
}

TEST_CASE_METHOD(StepFits, "a step fit recovers what overlap costs") {
  const auto profile = profile_of(0.45, 3_ms, 0.6);
  const std::vector<Observation> seen{split(4, 1, true, profile), split(4, 1, false, profile),
                                      split(2, 1, true, profile), split(2, 1, false, profile)};
  const StepFit fit = fit_steps(pointers(seen), Learned::OverlapLoss, {.overhead = 3_ms});
  CHECK_THAT(fit.overlap_loss, WithinRel(0.6, recovery));
  CHECK_THAT(fit.releases[0].efficiency, WithinRel(0.45, recovery));
  CHECK(fit.overhead == 3_ms);
  CHECK(fit.splits.size() == 2);
  CHECK(fit.find({4, 1}) != nullptr);
  CHECK(fit.find({2, 1}) != nullptr);
  CHECK(fit.find({1, 2}) == nullptr);
}

TEST_CASE_METHOD(StepFits, "a step fit recovers what splitting the context costs") {
  auto profile = profile_of(0.45, 3_ms);
  profile.context_loss = 0.12;
  const std::vector<Observation> seen{split(1, 1, true, profile), split(1, 2, true, profile),
                                      split(1, 4, true, profile)};
  CHECK(seen[1].step->base() > 0.5 * seen[0].step->base() * 1.05);
  const StepFit fit = fit_steps(pointers(seen), Learned::ContextLoss, {.overhead = 3_ms});
  CHECK_THAT(fit.context_loss, WithinRel(0.12, 0.02));
  CHECK_THAT(fit.releases[0].efficiency, WithinRel(0.45, recovery));
}

TEST_CASE_METHOD(StepFits, "splitting the context at most doubles compute") {
  auto profile = profile_of(0.45, 3_ms);
  profile.context_loss = 1.3;
  const std::vector<Observation> seen{split(1, 1, true, profile), split(1, 2, true, profile),
                                      split(1, 4, true, profile)};
  CHECK(fit_steps(pointers(seen), Learned::ContextLoss, {.overhead = 3_ms}).context_loss == 1);
}

TEST_CASE_METHOD(StepFits, "the cost of a split context is told by runs of one release alike") {
  const ComputeProfile any;
  const auto is_determined = [](const std::vector<Observation>& seen) {
    return context_loss_is_determined(pointers(seen));
  };
  CHECK(is_determined({split(1, 1, true, any), split(1, 4, true, any)}));
  CHECK_FALSE(is_determined({split(1, 2, true, any), split(1, 4, true, any)}));
  CHECK_FALSE(is_determined({split(2, 1, true, any), split(1, 2, true, any)}));
}

TEST_CASE_METHOD(StepFits, "a step fit with everything known learns the efficiency alone") {
  const std::vector<Observation> seen{split(4, 1, true, profile_of(0.3, 3_ms, 0.2))};
  const StepFit fit =
      fit_steps(pointers(seen), Learned::Efficiencies, {.overhead = 3_ms, .overlap_loss = 0.2});
  CHECK_THAT(fit.releases[0].efficiency, WithinRel(0.3, 1e-6));
  CHECK(fit.overlap_loss == 0.2);
  CHECK(fit.releases[0].spread == 0.03);  // spread of a single observation
  CHECK(fit.releases[0].server_spread == 0);
}

TEST_CASE_METHOD(StepFits, "the overhead is told from arithmetic by batches of one release") {
  const ComputeProfile any;
  const auto is_determined = [](const std::vector<Observation>& seen) {
    return overhead_is_determined(pointers(seen));
  };
  CHECK_FALSE(is_determined({}));
  CHECK_FALSE(is_determined(at_batches({4, 16}, any)));
  CHECK_FALSE(is_determined(at_batches({10, 12, 14}, any)));
  CHECK(is_determined(at_batches({10, 12, 15}, any)));
  CHECK_FALSE(is_determined({at(4, any, "24.04"), at(4, any, "24.04"), at(16, any, "24.10")}));
  CHECK(is_determined({at(4, any, "24.04"), at(4, any, "24.10"), at(16, any, "24.10")}));
}

TEST_CASE_METHOD(StepFits, "the cost of overlap is told by runs of one release with and without") {
  const ComputeProfile any;
  const auto is_determined = [](const std::vector<Observation>& seen) {
    return overlap_loss_is_determined(pointers(seen));
  };
  CHECK(is_determined({split(4, 1, false, any), split(2, 1, true, any)}));
  CHECK_FALSE(is_determined({split(4, 1, true, any), split(2, 1, true, any)}));
  CHECK_FALSE(is_determined({split(4, 1, false, any), split(1, 1, true, any)}));
  std::vector<Observation> releases{split(4, 1, false, any), split(2, 1, true, any)};
  releases[1].run.settings.software_release = "24.04";
  CHECK_FALSE(is_determined(releases));
  Observation unstated = split(4, 1, true, any);
  unstated.run.settings.tensor_overlap.reset();  // overlap is the default
  CHECK(is_determined({split(4, 1, false, any), unstated}));
}
