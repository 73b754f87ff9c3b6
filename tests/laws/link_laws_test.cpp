#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/core/random.hpp"
#include "sim/model/layer_work.hpp"
#include "sim/model/stages.hpp"
#include "sim/parallelism/pipeline_schedule.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/simulation/simulation.hpp"
#include "sim/timeline/timeline.hpp"
#include "tests/catch.hpp"
#include "tests/laws/machines.hpp"
#include "tests/laws/step_works.hpp"

// Laws of links in a step, over random models, machines, plans and stacks from the shipped configs.
using namespace tofn;
using namespace tofn::test;

namespace {

/// Tolerance for the rounding of some thousand additions.
constexpr double link_laws_rounding = 1e-9;

template <class T>
const T& one_of(const std::vector<T>& all, Random& random) {
  return all[static_cast<std::size_t>(whole(random, 0, static_cast<int>(all.size()) - 1))];
}

const std::vector<Model>& drawn_models() {
  static const std::vector<Model> models = [] {
    std::vector<Model> loaded;
    for (const char* name :
         {"gpt3-175b", "llama3-8b", "llama3-70b", "mixtral-8x7b", "megatron-22b"})
      loaded.push_back(
          load_model(std::string(TOFN_SOURCE_DIR "/configs/models/") + name + ".yaml"));
    return loaded;
  }();
  return models;
}

/// Stacks with host time and straggling replicas.
const std::vector<KernelProfile>& drawn_stacks() {
  static const std::vector<KernelProfile> stacks = [] {
    std::vector<KernelProfile> loaded;
    for (const char* name : {"unknown", "megatron-core", "torchtitan"})
      loaded.push_back(
          load_kernel_profile(std::string(TOFN_SOURCE_DIR "/configs/stacks/") + name + ".yaml"));
    return loaded;
  }();
  return stacks;
}

struct LinkQuestion {
  const Model* model;
  Cluster cluster;
  Plan plan;
  const KernelProfile* stack;

  std::string text() const {
    return model->name + " on " + cluster.name + " by " + stack->name + ": " + plan_words(plan);
  }
  StepWork work(const Cluster& on) const { return step_work(*model, plan, on, *stack); }
};

int power_of_two(Random& random, int most) { return 1 << whole(random, 0, most); }

LinkQuestion drawn_question(Random& random) {
  static const std::vector<std::string> clusters{"dgx-b200", "dgx-h100", "dgx-a100", "gb200-nvl72",
                                                 "mi300x"};
  Plan plan{.tensor_parallel_size = power_of_two(random, 3),
            .pipeline_parallel_size = power_of_two(random, 3),
            .context_parallel_size = power_of_two(random, 1),
            .data_parallel_size = power_of_two(random, 6),
            .gradient_accumulation = 8 * power_of_two(random, 2),
            .micro_batch = 1.0 * power_of_two(random, 1),
            .sequence_parallel = random.uniform() < 0.5,
            .tensor_overlap = random.uniform() < 0.3};
  if (plan.pipeline_parallel_size > 1 && random.uniform() < 0.4) plan.chunks_per_stage = 2;
  const int last_schedule = static_cast<int>(pipeline_schedules.size()) - 1;
  if (random.uniform() < 0.5)
    plan.schedule =
        pipeline_schedules[static_cast<std::size_t>(whole(random, 0, last_schedule))].second;
  if (random.uniform() < 0.3) plan.expert_parallel_size = power_of_two(random, 3);
  if (random.uniform() < 0.5)
    plan.sharded = plan.pipeline_parallel_size == 1 ? Sharded::Parameters : Sharded::Optimizer;
  plan.data_overlap = random.uniform() < 0.6;
  plan.parameter_overlap = random.uniform() < 0.5;
  plan.send_overlap = random.uniform() < 0.5;
  return {.model = &one_of(drawn_models(), random),
          .cluster = machine(one_of(clusters, random)),
          .plan = without_idle_options(plan),
          .stack = &one_of(drawn_stacks(), random)};
}

/// Calls f(question, work) for random questions whose plans divide their models and fit their
/// machines.
template <class F>
void for_each_question(F f) {
  int request = 0;
  for_each_seed([&](Random& random) {
    for (int i = 0; i < 30; ++i) {
      const LinkQuestion question = drawn_question(random);
      StepWork work;
      try {
        check_plan(question.plan, plan_limits(layer_work(*question.model, question.plan)));
        work = question.work(question.cluster);
      } catch (const InputError&) {
        continue;
      }
      INFO(question.text());
      f(question, work);
      ++request;
    }
  });
  CHECK(request > 400);
}

using FasterLinks = std::pair<const char*, void (*)(Cluster&)>;
constexpr std::array faster_links{
    FasterLinks{"a fifth more scale-up bandwidth",
                [](Cluster& c) { c.scale_up.bandwidth.value *= 1.2; }},
    FasterLinks{"8 x the scale-up bandwidth", [](Cluster& c) { c.scale_up.bandwidth.value *= 8; }},
    FasterLinks{"a tenth of the scale-up latency",
                [](Cluster& c) { c.scale_up.latency.value *= 0.1; }},
    FasterLinks{"twice the network", [](Cluster& c) {
                  if (!c.network) return;
                  c.network->nic_bandwidth.value *= 2;
                  c.network->latency.value *= 0.5;
                }}};

}  // namespace

// The closed form is an estimate: in 258,000 comparisons with other seeds it broke the law for one
// step, by a ten-thousandth and without noise too (breadth-first, gradients of each micro-batch).
// No step broke it by its events.
TEST_CASE("faster links never lengthen a step that is drawn, by its events or by its closed form") {
  for_each_question([](const LinkQuestion& question, const StepWork& work) {
    const Seconds events = simulate(work).total;
    const Seconds closed = closed_form(work).total;
    for (const auto& [what, make_faster] : faster_links) {
      Cluster faster = question.cluster;
      make_faster(faster);
      const StepWork then = question.work(faster);
      INFO(what);
      CHECK(simulate(then).total.base() <= events.base() * (1 + link_laws_rounding));
      CHECK(closed_form(then).total.base() <= closed.base() * (1 + link_laws_rounding));
    }
  });
}
