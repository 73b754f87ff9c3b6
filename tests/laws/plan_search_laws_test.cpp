#include <algorithm>
#include <limits>

#include "sim/core/error.hpp"
#include "sim/core/random.hpp"
#include "sim/memory/fitting.hpp"
#include "sim/model/stages.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/simulation/best_plan.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/simulation/simulation.hpp"
#include "sim/simulation/stack_defaults.hpp"
#include "sim/timeline/timeline.hpp"
#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"
#include "tests/unit/kernel/toy_profile.hpp"
#include "tests/unit/simulation/toy_model.hpp"

// Laws of the plan that a search picks, whatever the job.
using namespace tofn;
using namespace tofn::test;

namespace {

int one_of(Random& random, std::initializer_list<int> values) {
  return *(values.begin() +
           static_cast<int>(random.uniform() * static_cast<double>(values.size())));
}

/// A random job.
struct SearchJob {
  Model model;
  Cluster cluster = toy_machine();
  KernelProfile profile = toy_profile();
  PlanSpace space;
  int accelerators;
  double batch;

  explicit SearchJob(Random& random) {
    model = random.uniform() < 0.3 ? toy_mixture() : toy_model();
    auto& layers = std::get<TransformerLayers>(model.parts[1].shape);
    layers.count = one_of(random, {4, 6, 10, 12});
    layers.fused_attention = random.uniform() < 0.5;
    profile.kernel_start.value = Seconds{1e-6 * random.uniform()};
    profile.overlap_slowdown.value = 0.5 * random.uniform();
    profile.mixture_factor.value = 0.7 + random.uniform();
    if (random.uniform() < 0.3) cluster = toy_of_four(one_of(random, {12, 16}));
    cluster.accelerator.host_link = {20_GBps, "made up"};
    cluster.network->nic_bandwidth.value *= 0.05 + 2 * random.uniform();
    // Memory from what the framework alone takes to more than any plan needs.
    cluster.accelerator.memory.value = Bytes{1.2e9 * std::exp(3 * random.uniform())};
    space = random.uniform() < 0.5 ? PlanSpace::All : PlanSpace::Default;
    accelerators = one_of(random, {1, 4, 8, 12, 16, 24, 32});
    batch = one_of(random, {16, 24, 32, 48, 50, 96});
  }
  PlanSearch search() const {
    return {.model = model,
            .cluster = cluster,
            .profile = profile,
            .accelerators = accelerators,
            .global_batch = batch,
            .space = space};
  }
};

Seconds time_of(const SearchJob& job, const Plan& plan) {
  return simulate(step_work(job.model, plan, job.cluster, job.profile)).total;
}

bool holds(const SearchJob& job, const Plan& plan) {
  const auto layers =
      layer_work(job.model, computed_plan(plan, job.model, job.cluster.accelerator));
  return fits(
      largest_footprint(layers, plan, memory_profile(job.model, plan, job.cluster, job.profile)),
      job.cluster.accelerator);
}

/// The fastest plan of the space that fits, found by running every plan by events.
BestPlan exhaustively(const SearchJob& job) {
  BestPlan whole;
  whole.time = Seconds{std::numeric_limits<double>::infinity()};
  BestPlan split = whole;
  const auto hold_against = [&](const Plan& plan) {
    if (!holds(job, plan)) return;
    BestPlan& best = plan.micro_batch == std::floor(plan.micro_batch) ? whole : split;
    best.fits = true;
    const Seconds time = time_of(job, plan);
    if (time < best.time) {
      best.time = time;
      best.plan = plan;
    }
  };
  visit_plans(job.search(), plan_limits(layer_work(job.model, Plan{})), [&](const Plan& plan, int) {
    try {
      hold_against(plan);
    } catch (const InputError&) {
      return;  // it does not divide the model
    }
  });
  return whole.fits ? whole : split;
}

}  // namespace

/// Share by which a search may miss the shortest step, because the closed form decides which plans
/// run by events.
constexpr double most_missed = 0.003;

TEST_CASE("a search finds what running every plan by events finds") {
  Random random(1);
  int found = 0;
  int exact = 0;
  for (int i = 0; i < 60; ++i) {
    const SearchJob job(random);
    INFO("job " << i << ": " << job.accelerators << " accelerators, batch " << job.batch << ", "
                << job.cluster.accelerator.memory.value.base() / 1e9 << " GB");
    const BestPlan all = exhaustively(job);
    const BestPlan best = best_plan(job.search());
    REQUIRE(best.fits == all.fits);
    if (!all.fits) continue;
    INFO(plan_words(best.plan) << "; shortest: " << plan_words(all.plan));
    ++found;
    exact += best.time == all.time;
    CHECK(best.time >= all.time);
    CHECK(best.time / all.time <= 1 + most_missed);
    CHECK(time_of(job, best.plan) == best.time);
    CHECK(holds(job, best.plan));
  }
  CHECK(found > 30);
  CHECK(found < 60);
  CHECK(exact > 0.9 * found);
}

TEST_CASE(
    "a search that is to beat a time finds what it finds without one, where that is shorter") {
  Random random(3);
  int beaten = 0;
  int not_beaten = 0;
  for (int i = 0; i < 150; ++i) {
    const SearchJob job(random);
    INFO("job " << i << ": " << job.accelerators << " accelerators, batch " << job.batch);
    PlanSearch search = job.search();
    const BestPlan best = best_plan(search);
    if (!best.fits) continue;
    search.to_beat = (0.9 + 0.3 * random.uniform()) * best.time;
    const BestPlan other = best_plan(search);
    INFO(plan_words(best.plan) << "; to beat " << search.to_beat / best.time);
    CHECK(other.tried == best.tried);
    const bool is_beaten = best.time < search.to_beat;
    (is_beaten ? beaten : not_beaten) += 1;
    if (is_beaten) REQUIRE(other.fits);
    // If fewer plans remain, the search runs more of them by events.
    if (other.fits) CHECK(other.time <= std::min(best.time, search.to_beat));
    if (other.fits) CHECK(other.plan.has_whole_samples() == best.plan.has_whole_samples());
  }
  CHECK(beaten > 40);
  CHECK(not_beaten > 20);
}

TEST_CASE("over slow links a search finds what searches of its parts find") {
  Model model = toy_model();
  std::get<TransformerLayers>(model.parts[1].shape).count = 16;
  Cluster cluster = toy_machine();
  cluster.network->nic_bandwidth.value *= 0.05;
  cluster.accelerator.memory.value = Bytes{200e9};
  const KernelProfile profile = toy_profile();
  PlanSearch search{.model = model,
                    .cluster = cluster,
                    .profile = profile,
                    .accelerators = 64,
                    .global_batch = 512};
  const BestPlan free = best_plan(search);
  REQUIRE(free.fits);
  for (const int tensor : {1, 2, 4, 8})
    for (const int stages : {1, 2, 4, 8}) {
      search.request.tensor_parallel_size = tensor;
      search.request.pipeline_parallel_size = stages;
      search.is_fixed = [](std::string_view name) { return name == "tp" || name == "pp"; };
      INFO("tp " << tensor << ", pp " << stages);
      CHECK(free.time / best_plan(search).time <= 1 + most_missed);
    }
}

TEST_CASE("more memory or a faster network never make the plan that is chosen slower") {
  Random random(2);
  int compared = 0;
  const auto is_no_slower = [&](const SearchJob& more, const BestPlan& than) {
    const BestPlan best = best_plan(more.search());
    if (!than.fits) return;
    ++compared;
    REQUIRE(best.fits);
    CHECK(best.time / than.time <= 1 + most_missed);
  };
  for (int i = 0; i < 200; ++i) {
    const SearchJob job(random);
    const BestPlan best = best_plan(job.search());
    for (const double factor : {1.1, 2.0, 10.0}) {
      INFO("job " << i << ", x " << factor);
      SearchJob roomy = job;
      roomy.cluster.accelerator.memory.value *= factor;
      is_no_slower(roomy, best);
      SearchJob fast = job;
      fast.cluster.network->nic_bandwidth.value *= factor;
      is_no_slower(fast, best);
    }
  }
  CHECK(compared > 600);
}
