#include "sim/simulation/best_plan.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/memory/fitting.hpp"
#include "sim/model/stages.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/simulation/simulation.hpp"
#include "sim/timeline/timeline.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/unit/cluster/toy_machine.hpp"
#include "tests/unit/kernel/toy_profile.hpp"
#include "tests/unit/simulation/toy_model.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

struct Search {
  Model model = toy_model();
  Cluster cluster = toy_machine();
  KernelProfile profile = toy_profile();
  Plan request;
  std::string fixed;  ///< name of a field
  PlanRank rank;

  Search() { cluster.accelerator.memory.value = 80_GB; }

  BestPlan best(int accelerators = 16, double batch = 64) const {
    return best_plan({.model = model,
                      .cluster = cluster,
                      .profile = profile,
                      .accelerators = accelerators,
                      .global_batch = batch,
                      .request = request,
                      .is_fixed = [&](std::string_view name) { return name == fixed; },
                      .rank = rank});
  }
  Seconds time(const Plan& plan) const {
    return simulate(step_work(model, plan, cluster, profile)).total;
  }
  bool holds(const Plan& plan) const {
    return fits(largest_footprint(layer_work(model, plan), plan,
                                  memory_profile(model, plan, cluster, profile)),
                cluster.accelerator);
  }
};

}  // namespace

TEST_CASE("the best plan fits, covers the job, and no other split is faster") {
  const Search search;
  const BestPlan best = search.best();
  CHECK(best.fits);
  CHECK(best.plan.accelerators() == 16);
  CHECK_THAT(best.plan.global_batch(), WithinRel(64.0, 1e-12));
  CHECK(search.holds(best.plan));
  const Seconds shortest = search.time(best.plan);
  int compared = 0;
  for (const int tp : {1, 2, 4, 8})
    for (const int pp : {1, 2})
      for (const int passes : {1, 2, 4, 8}) {
        Plan other;
        other.tensor_parallel_size = tp;
        other.pipeline_parallel_size = pp;
        other.gradient_accumulation = passes;
        other.sequence_parallel = tp > 1;
        other.sharded = Sharded::Optimizer;
        other.parameter_overlap = true;
        if (16 / (tp * pp) * passes > 64) continue;  // less than one sample a pass
        const Plan whole = make_plan(other, 16, 64);
        if (whole.data_parallel_size == 1 || whole.micro_batch > 16 || !search.holds(whole))
          continue;
        ++compared;
        CHECK(search.time(whole) >= shortest * (1 - 1e-9));
      }
  CHECK(compared > 5);
}

TEST_CASE("plans rank by what a job makes of their steps") {
  for (const int tp : {1, 2, 4, 8}) {
    Search ranking;
    ranking.rank = [&](const Plan& plan, Seconds step, const StepWork*) {
      return (plan.tensor_parallel_size == tp ? 3 : 1000) * step;
    };
    const BestPlan ranked = ranking.best();
    Search stating;
    stating.fixed = "tp";
    stating.request.tensor_parallel_size = tp;
    const BestPlan stated = stating.best();
    CHECK(ranked.fits);
    CHECK(ranked.plan.tensor_parallel_size == tp);
    CHECK_THAT(ranked.time / stated.time, WithinRel(3.0, 1e-12));
    CHECK(stating.time(ranked.plan) == stated.time);
  }
}

TEST_CASE("what is not looked at could not have been shorter") {
  Search search;
  for (const double memory : {1e9, 4e9, 80e9}) {
    search.cluster.accelerator.memory.value = Bytes{memory};
    for (const int accelerators : {8, 32, 64}) {
      const BestPlan best = search.best(accelerators, 128);
      if (!best.fits) continue;
      const Seconds shortest = search.time(best.plan);
      for (const auto& [name, recompute] : recompute_names)
        for (const int pp : {1, 2, 4})
          for (const int chunks : {1, 2})
            for (const int passes : {1, 2, 4, 8, 16}) {
              Plan other = best.plan;
              other.recompute = recompute;
              other.pipeline_parallel_size = pp;
              other.chunks_per_stage = chunks;
              other.gradient_accumulation = passes;
              other.sharded = Sharded::Optimizer;
              try {
                other = make_plan(other, accelerators, 128);
                if (other.micro_batch > 16 || other.data_parallel_size == 1) continue;
                if (!search.holds(other)) continue;
                CHECK(search.time(other) >= shortest * (1 - 1e-9));
              } catch (const InputError&) {
                continue;  // not a valid plan
              }
            }
    }
  }
}

TEST_CASE("what is stated of a plan stays, and a small memory decides the rest") {
  Search search;
  search.fixed = "tp";
  search.request.tensor_parallel_size = 4;
  CHECK(search.best().plan.tensor_parallel_size == 4);
  search.cluster.accelerator.memory.value = 1_GB;  // the framework alone takes 1 GB
  const BestPlan least = search.best();
  CHECK_FALSE(least.fits);
  CHECK(least.plan.accelerators() == 16);
}

TEST_CASE("of plans that take as long the one that asks for less is chosen") {
  Search search;
  search.cluster.accelerator.memory.value = 4_GB;
  const auto best = [&](int accelerators) {
    return best_plan({.model = search.model,
                      .cluster = search.cluster,
                      .profile = search.profile,
                      .accelerators = accelerators,
                      .global_batch = 64,
                      .space = PlanSpace::All});
  };
  REQUIRE(best(8).plan.sharded == Sharded::Parameters);
  // Eight replicas are one domain, so sharding in the domain gives the same shards.
  Plan in_domain = best(8).plan;
  in_domain.shards_in_domain = true;
  CHECK(search.time(in_domain) == search.time(best(8).plan));
  CHECK_FALSE(best(8).plan.shards_in_domain);
}

TEST_CASE("passes and samples of each that are both stated are taken where they make the batch") {
  const Search search;
  const auto replicas = [&](double batch) {
    std::set<int> tried;
    visit_plans({.model = search.model,
                 .cluster = search.cluster,
                 .profile = search.profile,
                 .accelerators = 8,
                 .global_batch = batch,
                 .request = {.gradient_accumulation = 4, .micro_batch = 2},
                 .is_fixed =
                     [](std::string_view name) {
                       return name == "micro_batch" || name == "gradient_accumulation";
                     }},
                plan_limits(layer_work(search.model, Plan{})), [&](const Plan& plan, int) {
                  CHECK(plan.micro_batch == 2);
                  CHECK(plan.gradient_accumulation == 4);
                  tried.insert(plan.data_parallel_size);
                });
    return tried;
  };
  CHECK(replicas(64) == std::set{8});
  CHECK(replicas(16) == std::set{2});
  CHECK(replicas(24).empty());  // three replicas do not divide the batch
}

TEST_CASE("a job that nothing divides has no plan") {
  Search search;
  search.fixed = "tp";
  search.request.tensor_parallel_size = 3;
  CHECK(refusal([&] { search.best(); }) ==
        "no plan splits this job: tp*pp*cp = 3*1*1 = 3 does not divide 16 accelerators");
  CHECK_THAT(refusal([&] {
               best_plan({.model = search.model,
                          .cluster = search.cluster,
                          .profile = search.profile,
                          .accelerators = 16,
                          .global_batch = 8,
                          .is_fixed = [](std::string_view name) {
                            return name == "tp" || name == "pp" || name == "cp";
                          }});
             }),
             ContainsText("global batch 8 leaves less than one sample to each of 16 replicas x 1 "
                          "accumulation steps"));
}

TEST_CASE("a schedule that is asked for has as many chunks as it needs") {
  const Search search;
  Plan request;
  request.pipeline_parallel_size = 2;
  request.schedule = PipelineSchedule::ZeroBubbleV;
  const BestPlan best = best_plan(
      {.model = search.model,
       .cluster = search.cluster,
       .profile = search.profile,
       .accelerators = 16,
       .global_batch = 64,
       .request = request,
       .is_fixed = [](std::string_view name) { return name == "pp" || name == "schedule"; }});
  CHECK(best.plan.schedule == PipelineSchedule::ZeroBubbleV);
  CHECK(best.plan.chunks_per_stage == 2);
}

/// Schedules that a pipeline of four stages can run on eight layers, listed by hand.
std::vector<Plan> schedules_of_four_stages() {
  std::vector<Plan> plans;
  for (const auto& [name, chunks] :
       std::initializer_list<std::pair<std::string_view, int>>{{"1f1b", 1},
                                                               {"1f1b", 2},
                                                               {"breadth-first", 2},
                                                               {"zero-bubble", 1},
                                                               {"zb-v", 2},
                                                               {"eager-1f1b", 1},
                                                               {"v-half", 2}}) {
    Plan plan;
    plan.pipeline_parallel_size = 4;
    plan.schedule =
        std::find_if(pipeline_schedules.begin(), pipeline_schedules.end(), [&](const auto& row) {
          return row.first == name;
        })->second;
    plan.chunks_per_stage = chunks;
    plan.sharded = Sharded::Parameters;
    plan.data_overlap = plan.parameter_overlap = plan.send_overlap = true;
    plan.gradient_accumulation = 4;
    plans.push_back(make_plan(plan, 32, 32));
  }
  return plans;
}

TEST_CASE("every schedule is tried where all plans are, and the fastest wins") {
  for (const double bandwidth : {0.01, 0.03, 0.1, 0.3, 1.0, 10.0}) {
    Search search;
    std::get<TransformerLayers>(search.model.parts[1].shape).count = 8;
    search.cluster.network->nic_bandwidth.value *= bandwidth;
    Seconds shortest{std::numeric_limits<double>::infinity()};
    PipelineSchedule fastest{};
    for (const Plan& plan : schedules_of_four_stages()) {
      if (const Seconds time = search.time(plan); time < shortest) {
        shortest = time;
        fastest = plan.schedule;
      }
    }
    const PlanSearch request{
        .model = search.model,
        .cluster = search.cluster,
        .profile = search.profile,
        .accelerators = 32,
        .global_batch = 32,
        .request = schedules_of_four_stages().front(),
        .is_fixed = [](std::string_view name) { return name != "schedule" && name != "chunks"; },
        .space = PlanSpace::All};
    const BestPlan best = best_plan(request);
    INFO("network x " << bandwidth << " " << static_cast<int>(fastest));
    CHECK(best.plan.schedule == fastest);
    CHECK(best.time / shortest <= 1.003);
    std::set<std::pair<PipelineSchedule, int>> visited;
    visit_plans(request, plan_limits(layer_work(search.model, Plan{})), [&](const Plan& plan, int) {
      visited.insert({plan.schedule, plan.chunks_per_stage});
    });
    for (const Plan& plan : schedules_of_four_stages())
      CHECK(visited.contains({plan.schedule, plan.chunks_per_stage}));
  }
}

TEST_CASE("tensor overlap is tried with and without where all plans are, and only there") {
  const Search search;
  const auto tried = [&](PlanSpace space) {
    std::set<std::pair<bool, bool>> kinds;
    visit_plans({.model = search.model,
                 .cluster = search.cluster,
                 .profile = search.profile,
                 .accelerators = 8,
                 .global_batch = 8,
                 .space = space},
                plan_limits(layer_work(search.model, Plan{})), [&](const Plan& plan, int) {
                  kinds.insert({plan.tensor_parallel_size > 1, plan.tensor_overlap});
                });
    return kinds;
  };
  using Kinds = std::set<std::pair<bool, bool>>;
  CHECK(tried(PlanSpace::All) == Kinds{{false, false}, {true, false}, {true, true}});
  CHECK(tried(PlanSpace::Default) == Kinds{{false, false}, {true, false}});
}

TEST_CASE(
    "schedules that the stack has are tried, and one that is asked for whether it has it or not") {
  Search search;
  std::get<TransformerLayers>(search.model.parts[1].shape).count = 8;
  search.profile.framework_defaults.runs_schedules = {PipelineSchedule::OneForwardOneBackward};
  const auto tried = [&](bool is_requested) {
    std::set<PipelineSchedule> schedules;
    visit_plans({.model = search.model,
                 .cluster = search.cluster,
                 .profile = search.profile,
                 .accelerators = 32,
                 .global_batch = 32,
                 .request = schedules_of_four_stages().back(),
                 .is_fixed =
                     [&](std::string_view name) {
                       return name == "pp" || (is_requested && name == "schedule");
                     },
                 .space = PlanSpace::All},
                plan_limits(layer_work(search.model, Plan{})),
                [&](const Plan& plan, int) { schedules.insert(plan.schedule); });
    return schedules;
  };
  REQUIRE(schedules_of_four_stages().back().schedule != PipelineSchedule::OneForwardOneBackward);
  CHECK(tried(false) == std::set{PipelineSchedule::OneForwardOneBackward});
  CHECK(tried(true) == std::set{schedules_of_four_stages().back().schedule});
}

TEST_CASE(
    "what replicas share out is tried where there are replicas, and whole where all plans are") {
  const Search search;
  const auto tried = [&](int accelerators, PlanSpace space) {
    std::set<Sharded> kinds;
    visit_plans({.model = search.model,
                 .cluster = search.cluster,
                 .profile = search.profile,
                 .accelerators = accelerators,
                 .global_batch = 8,
                 .is_fixed = [](std::string_view name) { return name == "tp" || name == "pp"; },
                 .space = space},
                plan_limits(layer_work(search.model, Plan{})),
                [&](const Plan& plan, int) { kinds.insert(plan.sharded); });
    return kinds;
  };
  const std::set shared{Sharded::Optimizer, Sharded::Gradients, Sharded::Parameters};
  CHECK(tried(8, PlanSpace::Default) == shared);
  std::set all = shared;
  all.insert(Sharded::Nothing);
  CHECK(tried(8, PlanSpace::All) == all);
  CHECK(tried(1, PlanSpace::All) == std::set{Sharded::Nothing});
}

TEST_CASE("an optimizer goes to the host where only that fits, and where all plans are tried") {
  Search search;
  search.cluster.accelerator.host_link = {20_GBps, "made up"};
  const Plan kept = make_plan({.recompute = Recompute::Full}, 1, 1);
  Plan offloaded = kept;
  offloaded.offloads_optimizer = true;
  const auto best = [&](PlanSpace space) {
    return best_plan({.model = search.model,
                      .cluster = search.cluster,
                      .profile = search.profile,
                      .accelerators = 1,
                      .global_batch = 1,
                      .space = space});
  };
  CHECK_FALSE(best(PlanSpace::All).plan.offloads_optimizer);  // slower, and the memory suffices
  Bytes& memory = search.cluster.accelerator.memory.value;
  while (search.holds(kept)) memory = 0.99 * memory;
  REQUIRE(search.holds(offloaded));
  CHECK(best(PlanSpace::All).plan.offloads_optimizer);
  CHECK(best(PlanSpace::All).fits);
  CHECK_FALSE(best(PlanSpace::Default).fits);
}

TEST_CASE("an optimizer that takes little of the memory is not tried on the host") {
  Search search;
  search.cluster.accelerator.host_link = {20_GBps, "made up"};
  const double parameters = trainable_parameters(search.model);
  const auto tries_host = [&](Bytes memory) {
    search.cluster.accelerator.memory.value = memory;
    bool is_tried = false;
    visit_plans({.model = search.model,
                 .cluster = search.cluster,
                 .profile = search.profile,
                 .accelerators = 1,
                 .global_batch = 1,
                 .space = PlanSpace::All},
                plan_limits(layer_work(search.model, Plan{})),
                [&](const Plan& plan, int) { is_tried |= plan.offloads_optimizer; });
    return is_tried;
  };
  // An fp32 copy and two moments take 12 bytes a parameter, a tenth of the memory.
  CHECK(tries_host(Bytes{119 * parameters}));
  CHECK_FALSE(tries_host(Bytes{121 * parameters}));
}

TEST_CASE("samples that no doubling divides are tried in whole micro-batches") {
  const Search search;
  const auto tried = [&](double batch) {
    std::set<double> whole;
    visit_plans({.model = search.model,
                 .cluster = search.cluster,
                 .profile = search.profile,
                 .accelerators = 8,
                 .global_batch = batch},
                plan_limits(layer_work(search.model, Plan{})), [&](const Plan& plan, int) {
                  if (plan.data_parallel_size == 8 && plan.has_whole_samples())
                    whole.insert(plan.micro_batch);
                });
    return whole;
  };
  CHECK(tried(8 * 65) == std::set<double>{1, 5, 13, 65});  // the divisors of 65
  CHECK(tried(8 * 37) == std::set<double>{1, 37});
  CHECK(tried(8 * 64) == std::set<double>{1, 2, 4, 8, 16, 32, 64});
}

TEST_CASE("a search of all plans takes the stack's default where it varies nothing") {
  Search search;
  search.model = toy_mixture();
  search.fixed = "ep";
  search.request.expert_parallel_size = 4;
  search.profile.framework_defaults.expert_dispatch = ExpertDispatch::DeepEp;
  const auto found = [&](PlanSpace space) {
    return best_plan({.model = search.model,
                      .cluster = search.cluster,
                      .profile = search.profile,
                      .accelerators = 16,
                      .global_batch = 64,
                      .request = search.request,
                      .is_fixed = [](std::string_view name) { return name == "ep"; },
                      .space = space});
  };
  const BestPlan all = found(PlanSpace::All);
  CHECK(all.plan.expert_dispatch == ExpertDispatch::DeepEp);
  CHECK(all.time <= found(PlanSpace::Default).time);
}

TEST_CASE("a stack without sharded optimizers pipelines with the shardings that it has") {
  Search search;
  search.fixed = "pp";
  search.request.pipeline_parallel_size = 2;
  search.profile.framework_defaults.runs_sharded = {Sharded::Nothing, Sharded::Parameters};
  const Plan plan = search.best().plan;
  CHECK(plan.pipeline_parallel_size == 2);
  CHECK(plan.sharded != Sharded::Optimizer);
  search.profile.name = "plain";
  search.profile.framework_defaults.runs_pipelines = false;
  CHECK(refusal([&] { search.best(); }) == "no plan splits this job: stack plain has no pipelines");
}
