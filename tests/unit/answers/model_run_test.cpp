#include "sim/answers/model_run.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "sim/answers/predict_answer.hpp"
#include "sim/answers/run_batch.hpp"
#include "sim/answers/sensitivity_answer.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/kernel/stack_figures.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const Cluster& cluster(const char* name) {
  static const Library library = Library::load(configs);
  return *library.find_cluster(name);
}

RunPoint point_on(const StatedRun& run, const char* machine, int accelerators,
                  const KernelProfile& profile) {
  return run_point({.of = ModelRun{.run = run, .cluster = cluster(machine), .stack = profile}},
                   accelerators);
}

RunPoint point_on(const StatedRun& run, const char* machine, int accelerators) {
  return point_on(run, machine, accelerators,
                  find_kernel_profile(configs, run.stack.value_or("unknown")));
}

/// A run of one phase.
StatedRun run_of(const std::string& model, double tokens, double batch_tokens) {
  StatedRun run{.name = model, .phases = {{.model = find_model(configs, model)}}};
  const double length = run.phases[0].model.sequence_length;
  run.phases[0].stretches = {{batch_samples(batch_tokens, length), tokens / length}};
  return run;
}

}  // namespace

TEST_CASE("a whole plan with its micro-batch is run as it is, or refused by its name") {
  StatedRun run = run_of("llama3-8b", 1e12, 2048 * 8192.0);
  StatedPlan& plan = run.phases[0].plan;
  plan.name = "mine";
  plan.is_whole = true;
  plan.micro_batch = 2;
  plan.split.sharded = Sharded::Parameters;
  CHECK(point_on(run, "dgx-h100", 64)
            .estimate->run->stretches[0]
            .step->plan()
            .gradient_accumulation == 16);
  CHECK_THAT(refusal([&] { point_on(run, "dgx-h100", 48); }),
             ContainsText("plan mine does not split global batch 2048 over 48 replicas"));
}

TEST_CASE("the three large questions are answered in days and dollars") {
  struct Question {
    const char* model;
    double tokens, batch_tokens;
    const char* machine;
    int accelerators;
  };
  for (const Question& request : {Question{"deepseek-v3", 14.8e12, 63e6, "dgx-h100", 2048},
                                  Question{"llama3-405b", 15.6e12, 16e6, "dgx-h100", 8192},
                                  Question{"llama2-70b", 2e12, 4e6, "dgx-a100", 1024}}) {
    INFO(request.model);
    const RunPoint point = point_on(run_of(request.model, request.tokens, request.batch_tokens),
                                    request.machine, request.accelerators);
    CHECK(point.fits);
    const RunFigures& f = point.estimate->expected;
    // Days are above those at the peak, and less than ten times those at 40 % of the peak.
    const SimulatedStep& step = *point.estimate->simulated();
    const double least_days = 6 * active_parameters(step.model) * request.tokens /
                              (step.peak().base() * request.accelerators) / 86400;
    CHECK(f.days > least_days);
    CHECK(f.days < 25 * least_days);
    REQUIRE(point.estimate->expense.price);
    CHECK_THAT(f.usd, WithinRel(f.days * 24 * request.accelerators *
                                    point.estimate->expense.price->usd_per_hour,
                                1e-9));
    const Interval days = point.estimate->interval(figure_of(&RunFigures::days));
    CHECK((days.low < f.days && days.high > f.days));
  }
}

TEST_CASE("a run whose batch grows holds its split and takes more passes") {
  const RunPoint point = point_on(find_run(configs, "bloom-176b-training"), "dgx-a100", 384);
  const auto& stretches = point.estimate->run->stretches;
  REQUIRE(stretches.size() == 117);  // 116 increments of 16 samples, and the whole batch
  CHECK(stretches.front().step->plan().global_batch() == 192);
  CHECK(stretches.front().step->plan().gradient_accumulation ==
        12);  // 2 samples on each of 8 replicas
  CHECK(stretches.back().step->plan().global_batch() == 2048);
  CHECK(stretches.back().step->plan().gradient_accumulation == 128);
  for (const RunStretch& each : stretches) CHECK(each.step->plan().data_parallel_size == 8);
  // Small batches leave bubbles in twelve stages, so the same tokens are faster without them.
  StatedRun steady = find_run(configs, "bloom-176b-training");
  steady.phases[0].stretches = {{2048, steady.samples()}};
  const RunPoint without = point_on(steady, "dgx-a100", 384);
  CHECK(point.estimate->expected.training_seconds > without.estimate->expected.training_seconds);
  CHECK(point.estimate->expected.step_seconds < without.estimate->expected.step_seconds);
}

TEST_CASE("a plan that is free is that of the batch which trains most") {
  StatedRun run = run_of("llama3-8b", 100e9, 4e6);
  RunPhase first = run.phases[0];
  first.stretches = {{128, 1000.0 * 128}};
  run.phases.insert(run.phases.begin(), first);
  const RunPoint both = point_on(run, "dgx-h100", 64);
  const RunPoint alone = point_on(run_of("llama3-8b", 100e9, 4e6), "dgx-h100", 64);
  const Plan& held = both.estimate->run->stretches[0].step->plan();
  const Plan& chosen = alone.estimate->run->stretches[0].step->plan();
  CHECK(held.micro_batch == chosen.micro_batch);
  CHECK(held.model_parallel_size() == chosen.model_parallel_size());
  CHECK(held.global_batch() == 128);
}

TEST_CASE("a phase that cannot run is named") {
  StatedRun run = run_of("llama3-8b", 100e9, 4e6);
  run.phases.push_back(run.phases[0]);
  run.phases[1].name = "late";
  run.phases[1].plan.split.tensor_parallel_size = 3;
  run.phases[1].plan.stated = {"tp"};
  const std::string why = refusal([&] { point_on(run, "dgx-h100", 64); });
  CHECK(why.starts_with("late: "));
}

TEST_CASE("accelerators join and leave by phase") {
  StatedRun run = run_of("llama3-8b", 100e9, 4e6);
  run.phases.push_back(run.phases[0]);
  run.phases[0].most_accelerators = 32;
  const RunPoint point = point_on(run, "dgx-h100", 64);
  CHECK(point.estimate->run->stretches[0].step->plan().accelerators() == 32);
  CHECK(point.estimate->run->stretches[1].step->plan().accelerators() == 64);
  CHECK(point_on(run, "dgx-h100", 16).estimate->run->stretches[0].step->plan().accelerators() ==
        16);
}

TEST_CASE("the critical batch is the stated one, else the law's of texts") {
  StatedRun run = run_of("llama3-8b", 100e9, 4e6);
  CHECK(critical_batch(run)->of == Counted::Tokens);
  run.critical_batch = Amount{512, Counted::Samples};
  CHECK(critical_batch(run) == Amount{512, Counted::Samples});
  StatedRun images{
      .phases = {{.model = find_model(configs, "resnet-50"), .stretches = {{512, 1e6}}}}};
  CHECK_FALSE(critical_batch(images));
}

TEST_CASE("a measured step is one of the phase that has its batch and its accelerators") {
  const auto phase = [](const char* name, double batch, double samples, std::optional<int> most) {
    RunPhase made{.name = name, .model = find_model(configs, "llama3-8b")};
    made.stretches = {{batch, samples}};
    made.most_accelerators = most;
    return made;
  };
  StatedRun run{.name = "grows",
                .phases = {phase("few", 64, 1e4, 8), phase("more", 128, 1e6, 16),
                           phase("most", 256, 1e7, {}), phase("last", 256, 1e5, {})}};
  CHECK(measured_phase(run, 8, 64).name == "few");
  CHECK(measured_phase(run, 16, 128).name == "more");
  CHECK(measured_phase(run, 32, 256).name == "most");
  CHECK(measured_phase(run, 32, 64).name == "most");  // 32 accelerators never ran the first batch
  CHECK(measured_phase(run, 8, 32).name == "most");   // no phase has this batch
  run.phases.resize(2);
  CHECK_THROWS_WITH(measured_phase(run, 32, 128),
                    Equals("no phase of grows runs on as many as 32 accelerators"));
}

TEST_CASE("more than all of the peak is warned of") {
  KernelProfile profile = find_kernel_profile(configs, "unknown");
  const StatedRun run = run_of("llama3-8b", 100e9, 4e6);
  const auto warnings = [&] { return point_on(run, "dgx-h100", 8, profile).warnings; };
  CHECK(warnings().empty());
  profile.best_product_share.value /= 100;  // as if products took almost no time
  REQUIRE(warnings().size() == 1);
  CHECK_THAT(warnings().front(), ContainsText("more than the peak allows"));
}

TEST_CASE("of a stack's figures those alone are in doubt that have a variance") {
  KernelProfile profile = find_kernel_profile(configs, "megatron-core");
  constexpr std::size_t count = stack_figures.size();
  const auto in_doubt = [&](std::size_t figure) {
    profile.uncertainty.covariance.assign(count * count, 0);
    profile.uncertainty.covariance[figure * count + figure] = 0.01;
    const RunPoint point = point_on(run_of("llama3-8b", 100e9, 4e6), "dgx-h100", 64, profile);
    std::vector<std::string> names;
    for (const TimeUncertainty& each : uncertainties_of(*point.estimate, profile).all)
      if (each.name.ends_with(" of the stack")) names.push_back(each.name);
    return names;
  };
  for (const std::string_view key : {"fused_attention_efficiency", "traffic_factor"}) {
    const auto* figure = std::find_if(stack_figures.begin(), stack_figures.end(),
                                      [&](const auto& each) { return each.key == key; });
    REQUIRE(figure != stack_figures.end());
    CHECK(in_doubt(static_cast<std::size_t>(figure - stack_figures.begin())) ==
          std::vector{std::string(key) + " of the stack"});
  }
}

// A batch of 171 samples for each of 24 replicas has no passes of equal whole samples; 160 has.
TEST_CASE("a batch that is chosen splits well, too") {
  StatedRun run = run_of("bert-large", 200e9, 2.1e6);
  run.phases[0].stretches[0].batch = 4096;
  run.has_default_batch = true;
  for (const int accelerators : {24, 48}) {
    const RunPoint point = point_on(run, "dgx-h100", accelerators);
    const Plan& plan = point.estimate->plan;
    CHECK(plan.global_batch() == 3840);
    CHECK(plan.data_parallel_size == accelerators);
    const RunPoint nearest =
        point_on(at_batch(run_of("bert-large", 200e9, 1), even_batches(4096, accelerators).front()),
                 "dgx-h100", accelerators);
    CHECK(nearest.estimate->expected.days > point.estimate->expected.days);
  }
}
