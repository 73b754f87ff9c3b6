#include "sim/rollout/training_passes.hpp"

#include <string>
#include <utility>

#include "sim/config/library.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Training on 2048 responses of 2048 tokens to prompts of 120.
struct TrainingJob {
  TrainingJob(const char* name, int size) : model(find_model(configs, name)), accelerators(size) {
    model.sequence_length = 2168;
  }

  SimulatedPasses passes(const StatedPlan& plan = {}) const {
    return simulated_passes({.model = model,
                             .cluster = cluster,
                             .profile = stack,
                             .plan = plan,
                             .accelerators = accelerators,
                             .responses = 2048,
                             .packed_tokens = 8192});
  }
  /// Time inside a step of RL.
  Seconds time(const StatedPlan& plan = {}) const {
    const RlStep step =
        rl_step({}, passes(plan).times, decoder_of(model), {}, {.is_colocated = true});
    return step.updates + step.logprobs;
  }

  Library library = Library::load(configs);
  Model model;
  Cluster cluster = library.cluster("dgx-h100");
  KernelProfile stack = find_kernel_profile(configs, "unknown");
  int accelerators;
};

StatedPlan of_size(std::string field, int Plan::*member, int size) {
  StatedPlan plan{.name = "asked for", .stated = {std::move(field)}};
  plan.split.*member = size;
  return plan;
}

}  // namespace

TEST_CASE("no size that could be stated shortens what the passes take of a step of RL") {
  for (const auto& [name, size] : {std::pair("glm-4.5-air", 64), std::pair("llama3-8b", 16)}) {
    const TrainingJob job(name, size);
    const Seconds chosen = job.time();
    int compared = 0;
    for (const auto& [field, member] : {std::pair("pp", &Plan::pipeline_parallel_size),
                                        std::pair("tp", &Plan::tensor_parallel_size)})
      for (const int count : {1, 2, 4}) {
        INFO(name << ' ' << field << ' ' << count);
        const StatedPlan plan = of_size(field, member, count);
        if (!job.passes(plan).fits) continue;
        CHECK(job.time(plan) >= chosen * (1 - 1e-9));
        ++compared;
      }
    CHECK(compared >= 4);
  }
}

TEST_CASE("a wider scale-up network lengthens no training of a step of RL") {
  TrainingJob job("qwen3-30b-a3b", 32);
  const Seconds narrow = job.time();
  job.cluster.scale_up.bandwidth.value *= 2;
  CHECK(job.time() <= narrow);
}
