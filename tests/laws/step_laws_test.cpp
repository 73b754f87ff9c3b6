#include <cmath>

#include "sim/config/library.hpp"
#include "sim/simulation/calibrated_step.hpp"
#include "sim/timeline/timeline.hpp"
#include "tests/catch.hpp"
#include "tests/laws/runs.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Tolerance for the rounding of a few dozen additions.
constexpr double step_laws_rounding = 1e-12;

bool at_most(Seconds a, Seconds b) { return a.base() <= b.base() * (1 + step_laws_rounding); }

template <class F>
void step_laws_for_each_case(F f) {
  static const std::vector<CalibratedStepCase> cases = step_cases();
  for (const CalibratedStepCase& each : cases) {
    INFO(each.text());
    f(each);
  }
}

Cluster with_faster_network(Cluster cluster) {
  if (!cluster.network) return cluster;
  cluster.network->nic_bandwidth.value *= 2;
  cluster.network->latency.value *= 0.5;
  return cluster;
}

Cluster with_faster_scale_up(Cluster cluster) {
  cluster.scale_up.bandwidth.value *= 2;
  cluster.scale_up.latency.value *= 0.5;
  return cluster;
}

Cluster with_faster_arithmetic(Cluster cluster) {
  for (auto& rate : cluster.accelerator.peak)
    if (rate) rate->value *= 2;
  return cluster;
}

Cluster with_faster_memory(Cluster cluster) {
  cluster.accelerator.memory_bandwidth.value *= 2;
  return cluster;
}

/// True if exchanges cannot hide all kernels beside them, so that faster kernels shorten the step.
bool kernels_outlast_communication(const CalibratedStepCase& each) {
  const StepTimes step = each.step(*each.cluster).times();
  return part(step.parts, StepPart::Compute) > step.communication;
}

}  // namespace

TEST_CASE("kernels take their FLOPs at the calibrated efficiency, launches their overhead") {
  step_laws_for_each_case([](const CalibratedStepCase& each) {
    const Plan plan = plan_of(each.split, each.micro_batch, 3);
    const StepTimes times = each.step(*each.cluster, plan).times();
    const ComputeProfile profile = busy_profile(*each.workload);
    const Seconds ideal =
        ideal_time(total_work(*each.workload), each.cluster->accelerator, profile.precision);
    const double samples = 3 * each.micro_batch / (each.split.tensor * each.split.context);
    CHECK_THAT(part(times.parts, StepPart::Compute).base(),
               WithinRel((samples * ideal).base() / 0.4, step_laws_rounding));
    CHECK_THAT(part(times.parts, StepPart::Launch).base(),
               WithinRel(3 * 0.005, step_laws_rounding));
    for (const Seconds time : times.parts) {
      CHECK(std::isfinite(time.base()));
      CHECK(time >= Seconds{});
    }
  });
}

TEST_CASE("a calibrated step takes by its events what its closed form says, part by part") {
  step_laws_for_each_case([](const CalibratedStepCase& each) {
    for (const int accumulation : {1, 3}) {
      const Plan plan = plan_of(each.split, each.micro_batch, accumulation);
      const CalibratedStep step = each.step(*each.cluster, plan);
      const StepTimes closed = step.times();
      const StepTimes events = simulate(step.work());
      for (std::size_t i = 0; i < step_parts.size(); ++i) {
        INFO(step_parts[i].first << ", " << accumulation << " passes");
        CHECK_THAT(closed.parts[i].base(),
                   WithinAbs(events.parts[i].base(), 1e-9 * events.total.base()));
      }
      CHECK_THAT(closed.communication.base(), WithinRel(events.communication.base(), 1e-9));
    }
  });
}

TEST_CASE("what is exposed of communication is no more than all of it") {
  step_laws_for_each_case([](const CalibratedStepCase& each) {
    const StepTimes step = each.step(*each.cluster).times();
    CHECK(at_most(step.exposed().time, step.communication));
    if (each.split.tensor * each.split.context * each.split.replicas == 1)
      CHECK(step.communication == Seconds{});
    else
      CHECK(step.exposed().time > Seconds{});
  });
}

TEST_CASE("faster hardware never slows a step") {
  step_laws_for_each_case([](const CalibratedStepCase& each) {
    const Seconds before = each.total(*each.cluster);
    CHECK(at_most(each.total(with_faster_network(*each.cluster)), before));
    CHECK(at_most(each.total(with_faster_scale_up(*each.cluster)), before));
    const Seconds faster = each.total(with_faster_arithmetic(*each.cluster));
    CHECK(at_most(faster, before));
    if (kernels_outlast_communication(each)) CHECK(faster < before);
    CHECK(each.total(with_faster_memory(*each.cluster)) < before);
  });
}

TEST_CASE("a faster network speeds up the steps that wait for it") {
  step_laws_for_each_case([](const CalibratedStepCase& each) {
    const int job = each.split.tensor * each.split.context * each.split.replicas;
    if (job <= each.cluster->scale_up.domain_accelerators || each.split.replicas == 1) return;
    if (each.cluster->scale_up.torus) return;  // both kinds of a torus's links are equally fast
    CHECK(each.total(with_faster_network(*each.cluster)) < each.total(*each.cluster));
  });
}

TEST_CASE("more samples in a pass never shorten a step") {
  step_laws_for_each_case([](const CalibratedStepCase& each) {
    Seconds before;
    for (const double samples : {1.0, 2.0, 3.0, 8.0, 64.0, 512.0}) {
      const Seconds time = each.step(*each.cluster, plan_of(each.split, samples)).times().total;
      CHECK(time > before);
      before = time;
    }
  });
}

TEST_CASE("a forward pass takes less time than a step, and more for more samples") {
  step_laws_for_each_case([](const CalibratedStepCase& each) {
    const CalibratedStep step = each.step(*each.cluster);
    CHECK(step.forward_pass(each.micro_batch, 1) < step.times().total);
    CHECK(step.forward_pass(each.micro_batch, 1) < step.forward_pass(2 * each.micro_batch, 1));
  });
}

// The optimizer is excluded, because sharding it over more ranks (ZeRO) leaves each fewer
// parameters.
TEST_CASE("no step gets cheaper as replicas are added") {
  step_laws_for_each_case([](const CalibratedStepCase& each) {
    if (each.split.replicas != 1) return;
    if (each.cluster->scale_up.torus) return;  // larger tori close their sides
    if (is_slower_inside(*each.cluster)) return;
    const int model_parallel = each.split.tensor * each.split.context;
    // Jobs have whole nodes, and whole domains if there are several.
    const int domain = each.cluster->scale_up.domain_accelerators;
    Seconds before;
    for (const int nodes : {1, 2, 3, 4, 8, 9, 18, 36, 54, 144, 576}) {
      const int job = nodes * each.cluster->accelerators_per_node.value;
      if (job % model_parallel != 0 || !fits(*each.cluster, job)) continue;
      if (job > domain && job % domain != 0) continue;
      Split split = each.split;
      split.replicas = job / model_parallel;
      const StepTimes step = each.step(*each.cluster, plan_of(split, each.micro_batch)).times();
      const Seconds time = step.total - part(step.parts, StepPart::Optimizer);
      INFO(nodes << " nodes, " << time.base() << " s after " << before.base() << " s");
      CHECK(at_most(before, time));
      before = time;
    }
  });
}

TEST_CASE("two passes over half the samples are not faster than one over all") {
  step_laws_for_each_case([](const CalibratedStepCase& each) {
    const Seconds once = each.total(*each.cluster);
    const Plan halves = plan_of(each.split, each.micro_batch / 2, 2);
    CHECK(at_most(once, each.step(*each.cluster, halves).times().total));
  });
}

TEST_CASE("perturbing a step for the better never slows it") {
  step_laws_for_each_case([](const CalibratedStepCase& each) {
    const CalibratedStep step = each.step(*each.cluster);
    const Seconds before = step.times().total;
    StepPerturbation neutral;
    CHECK(step.times(neutral).total == before);
    const Seconds faster = step.times({.arithmetic = 0.5}).total;
    CHECK(at_most(faster, before));
    if (kernels_outlast_communication(each)) CHECK(faster < before);
    CHECK(step.times({.overhead = 0.5}).total < before);
    CHECK(at_most(step.times({.latency = 0.5}).total, before));
    CHECK(at_most(step.times({.bandwidth = 2}).total, before));
  });
}

TEST_CASE("a forward pass waits for tensor-parallel traffic that nothing hides") {
  const Library all = Library::load(TOFN_SOURCE_DIR "/configs");
  const Workload& lora = all.workload("llama2_70b_lora");
  const Cluster& cluster = *all.find_cluster("dgx-h100");
  const Plan plan = make_plan({.accelerators = 8, .global_batch = 2, .tensor_parallel_size = 4});
  RunSettings settings;
  settings.tensor_overlap = false;
  const CalibratedStep step(lora, cluster, plan, settings, busy_profile(lora));
  const Seconds added =
      step.forward_pass(1, 1, {.bandwidth = 0.5}) - step.forward_pass(1, 1, {.bandwidth = 1});
  // Four collectives in each of 80 layers move three quarters of 134 MB each at 364.5 GB/s.
  const double once = 4 * 80 * 0.75 * 134217728.0 / (450e9 * 0.81);
  CHECK(std::abs(added.base() / once - 1) < 1e-9);
}

TEST_CASE("a forward pass waits for context-parallel traffic that attention cannot hide") {
  const Library all = Library::load(TOFN_SOURCE_DIR "/configs");
  const Workload& lora = all.workload("llama2_70b_lora");
  const Plan plan = make_plan({.accelerators = 8, .global_batch = 4, .context_parallel_size = 2});
  const CalibratedStep step(lora, *all.find_cluster("dgx-h100"), plan, {}, busy_profile(lora));
  const Seconds typical = step.forward_pass(1, 1);
  const Seconds slow = step.forward_pass(1, 1, {.bandwidth = 1e-3});
  // One hop of half of K and V in each of 80 layers takes 16.8 MB at 0.3645 GB/s, less the
  // attention.
  CHECK(slow - typical > Seconds{3.0});
  CHECK(slow - typical < Seconds{80 * 16777216.0 / (450e6 * 0.81) + 0.001});
}
