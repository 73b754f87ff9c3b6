#include <algorithm>
#include <type_traits>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/core/random.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/simulation/plan_steps.hpp"
#include "sim/simulation/simulation.hpp"
#include "sim/timeline/timeline.hpp"
#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"
#include "tests/unit/kernel/toy_profile.hpp"
#include "tests/unit/simulation/toy_model.hpp"

// Tests which plans may share the work of a rank that is computed once for many plans.
using namespace tofn;
using namespace tofn::test;
using namespace tofn::literals;

namespace {

template <class M>
void set_to_each(Plan plan, M Plan::*member, std::vector<Plan>& plans) {
  const auto add = [&](M value) {
    plan.*member = std::move(value);
    plans.push_back(plan);
  };
  if constexpr (std::is_same_v<M, bool>) {
    add(!(plan.*member));
  } else if constexpr (std::is_same_v<M, int>) {
    for (const int factor : {2, 4}) add(factor);
  } else if constexpr (std::is_same_v<M, std::optional<int>>) {
    for (const int used : {4, 8, 12}) add(used);
  } else if constexpr (std::is_same_v<M, StageLayers>) {
    add({{1, 3}});
  } else if constexpr (std::is_same_v<M, RecomputeModules>) {
    add({RecomputeModule::LayerNorm});
  } else {
    for (const auto& [name, value] : names_of(M{})) add(value);
  }
}

/// The plan, and all plans that differ from it in one field.
std::vector<Plan> neighbours(const Plan& plan) {
  std::vector<Plan> plans{plan};
  visit_plan([&](const PlanField&, auto member) { set_to_each(plan, member, plans); });
  return plans;
}

std::vector<Plan> some_plans(int experts) {
  const Plan base{.data_parallel_size = 2, .gradient_accumulation = 4};
  std::vector<Plan> plans = neighbours(base);
  Plan split = base;
  split.tensor_parallel_size = 2;
  split.pipeline_parallel_size = 2;
  split.context_parallel_size = 2;
  split.data_parallel_size = 4;
  split.expert_parallel_size = std::min(experts, 2);
  split.sequence_parallel = true;
  for (const Plan& each : neighbours(split)) {
    const auto further = neighbours(each);
    plans.insert(plans.end(), further.begin(), further.end());
  }
  return plans;
}

}  // namespace

TEST_CASE("plans whose ranks share work have the steps that they have alone, in any order") {
  const KernelProfile profile = toy_profile();
  for (Model model : {toy_model(), toy_mixture()})
    for (Cluster cluster : {toy_machine(), toy_of_four(16)}) {
      cluster.accelerator.host_link = {20_GBps, "made up"};
      auto& layers = std::get<TransformerLayers>(model.parts[1].shape);
      layers.count = 8;
      layers.fused_attention = true;
      PlanSteps shared(model, cluster, profile);
      std::size_t compared = 0;
      for (const Plan& stated : some_plans(layers.experts)) try {
          const Plan plan = without_idle_options(stated);
          check_plan(plan, shared.dividing_rank(plan).limits);
          const StepWork own = step_work(model, plan, cluster, profile);
          const StepWork found = shared.work(plan, shared.dividing_rank(plan));
          const StepTimes alone = simulate(own);
          const StepTimes among = simulate(found);
          INFO(model.name << " on " << cluster.name << ": " << plan_words(plan));
          CHECK(among.total == alone.total);
          CHECK(among.parts == alone.parts);
          CHECK(std::equal(found.answered.begin(), found.answered.end(), own.answered.begin(),
                           own.answered.end()));
          ++compared;
        } catch (const InputError&) {
          continue;  // it does not divide the model or the machine
        }
      CHECK(compared > 500);
      CHECK(shared.size() < compared);
    }
}
