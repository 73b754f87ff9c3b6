#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>

#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/training/run_estimate.hpp"
#include "sim/training/stated_run.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/laws/machines.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

struct Question {
  std::string model;
  std::string cluster;
  int accelerators = 0;
  double batch = 0;
  double tokens = 0;
  bool is_measured = false;  ///< one of its steps was measured

  std::string text() const {
    return fmt::format("{} on {} x {}, batch {}, {:g} tokens{}", model, accelerators, cluster,
                       batch, tokens, is_measured ? ", measured" : "");
  }
};

template <class T>
const T& drawn(const std::vector<T>& from, std::mt19937& generator) {
  return from[generator() % from.size()];
}

Question draw(std::mt19937& generator) {
  static const std::vector<std::string> models{"llama3-8b", "llama2-13b", "llama3-70b",
                                               "mixtral-8x7b", "gpt3-175b"};
  static const std::vector<std::string> clusters{"dgx-h100", "dgx-a100", "dgx-b200",
                                                 "tpu-v5p",  "mi300x",   "gb200-nvl72"};
  const int accelerators = 16 << (generator() % 6);
  return {.model = drawn(models, generator),
          .cluster = drawn(clusters, generator),
          .accelerators = accelerators,
          .batch = accelerators * static_cast<double>(1 << (generator() % 3)),
          .tokens = std::pow(10.0, 9 + generator() % 4),
          .is_measured = generator() % 3 == 0};
}

/// Estimate of a question's run, data parallel with everything sharded. It need not fit the memory.
RunEstimate estimate_of(const Question& request, const KernelProfile& profile) {
  const Model model = load_model(configs / "models" / (request.model + ".yaml"));
  const Plan plan =
      make_plan(Plan{.sharded = Sharded::Parameters}, request.accelerators, request.batch);
  SimulatedStep step = simulate_step(model, plan, machine(request.cluster), profile);
  step.rests_on_own_steps = request.is_measured;
  return estimate({.stretches = {stretch_of({}, std::move(step),
                                            request.tokens / model.sequence_length, 0, profile)},
                   .overrun = published_overrun});
}

double kept_within(const RunEstimate& run, double seconds) {
  const auto kept = std::count_if(
      run.samples.begin(), run.samples.end(),
      [&](const RunSample& draw) { return draw.time * run.expected.seconds < seconds; });
  return static_cast<double>(kept) / static_cast<double>(run.samples.size());
}

}  // namespace

TEST_CASE("no interval of days nor any draw is shorter than what steps and chips allow") {
  const KernelProfile profile = find_kernel_profile(configs, default_stack);
  std::mt19937 generator(52);
  for (int i = 0; i < 300; ++i) {
    const Question request = draw(generator);
    INFO(request.text());
    const RunEstimate run = estimate_of(request, profile);
    const SimulatedStep& step = *run.simulated();
    // Lower bound: training alone, at the lower end of the step's interval. The 4,000 samples of a
    // step and the 2,000 of a run determine that end within 1 %.
    const double steps = run.expected.steps;
    const double low = run.expected.seconds * run.time.interval.low;
    CHECK(low >= 0.99 * steps * step.seconds.low);
    // Lower bound: all chips compute the model FLOPs at 85 % of their best measured product.
    const Accelerator& chip = step.cluster.accelerator;
    const FlopsPerSecond best = chip.best_product_at(requested_precision(step.model, step.plan));
    const double samples = request.tokens / step.model.sequence_length;
    const double least =
        samples * model_flops(step.model).base() / (0.85 * best.base() * request.accelerators);
    CHECK(low >= least);
    CHECK(kept_within(run, least) == 0);
  }
}
