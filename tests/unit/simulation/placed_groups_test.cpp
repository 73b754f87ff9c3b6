// Tests that both sources of a step place groups by `placed_job`.
#include "sim/collectives/algorithm.hpp"
#include "sim/parallelism/placed_plan.hpp"
#include "sim/report/step_report.hpp"
#include "sim/simulation/calibrated_step.hpp"
#include "sim/simulation/job_hardware.hpp"
#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"
#include "tests/unit/kernel/toy_profile.hpp"
#include "tests/unit/simulation/toy_model.hpp"
#include "tests/unit/simulation/toy_workload.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

TEST_CASE("expert groups of 64 lie in racks of 72") {
  const Cluster rack = toy_of_four(72);
  Plan plan{.data_parallel_size = 256, .expert_parallel_size = 64};
  const Communicators placed = place_groups(plan, rack);
  CHECK(placed.expert.one_domain());
  CHECK(placed.expert_gradients.data.domains == 4);
  CHECK(placed.gradients.data.ranks_per_domain == 64);
  plan.accelerators_per_domain = 72;
  const Communicators whole = place_groups(plan, rack);
  CHECK(whole.expert.domains == 2);
  const auto time = [](const Communicators& by) {
    return exchange_cost(CollectiveKind::AllToAll, 1_GB, by.expert).time;
  };
  CHECK(time(whole) > 4 * time(placed));
}

// Six ranks on each node of eight are two tensor groups of three.
TEST_CASE("a calibrated step's groups lie in nodes likewise") {
  const Cluster toy = toy_machine();
  const Workload workload = toy_workload();
  const ComputeProfile compute = toy_compute();
  const auto tensor_time = [&](const Plan& plan) {
    RunSettings settings;
    settings.tensor_overlap = false;
    const CalibratedStep step(workload, toy, plan, settings, compute);
    return part(step.times().parts, StepPart::Tensor);
  };
  Plan plan = split(3, 1, 16);
  CHECK(used_of_domain(plan, toy) == 6);
  CHECK_THAT(tensor_time(plan) / tensor_time(split(3, 1, 1)), WithinRel(1.0, 1e-12));
  plan.accelerators_per_domain = 8;
  CHECK(tensor_time(plan) > 2 * tensor_time(split(3, 1, 16)));
}

TEST_CASE("a step says what its job leaves unused of each domain") {
  const auto text = [](const Cluster& cluster) {
    const Plan plan{.data_parallel_size = 256};
    return step_text(simulate_step(toy_model(), plan, cluster, toy_profile())).screen;
  };
  CHECK_THAT(text(toy_of_four(72)), ContainsText("placement     64 of each 72 accelerators of a "));
  CHECK_THAT(text(toy_machine()), !ContainsText("placement"));
}
