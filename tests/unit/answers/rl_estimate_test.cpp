#include "sim/answers/rl_answer.hpp"
#include "sim/answers/sensitivity_answer.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// A hundred steps of a small model without failures, at 2 US dollars an hour.
RlRequest hundred_steps() {
  Library library = Library::load(configs);
  RlRequest request;
  request.rl = {.prompts = 16,
                .generations = 8,
                .response_tokens = 500,
                .longest_tokens = 2048,
                .steps = 100};
  request.model = find_model(configs, "llama3-8b");
  request.cluster = library.cluster("dgx-h100");
  request.profile = find_kernel_profile(configs, "unknown");
  request.sizes = {8};
  request.expenses.price = 2;
  request.expenses.time_to_failure = Seconds{1e15};
  return request;
}

}  // namespace

TEST_CASE("a run of RL takes its start-up and its steps, and costs what its hours do") {
  const RlRequest request = hundred_steps();
  const RlPoint point = rl_point(request, 8);
  const RunFigures& f = point.estimate->expected;
  const double step = point.split->step.period().base();
  CHECK(f.steps == 100);
  CHECK(f.samples == 12'800);
  CHECK(f.tokens == Approx(12'800 * 620.0));
  CHECK(f.seconds == Approx(request.start_up.base() + 100 * step));
  CHECK(f.usd == Approx(2 * 8 * f.seconds / 3600));
  CHECK(f.goodput == Approx(100 * step / f.seconds));
  CHECK(point.split->activity.total().base() == Approx(step));
  CHECK(f.memory_gigabytes > 16);
  CHECK(f.co2_tonnes == Approx(480e-6 * f.kilowatt_hours));
  const double most_kilowatts = 1.2 * 8 * request.cluster.accelerator.power.value.base() / 1e3 + 8;
  CHECK(f.kilowatt_hours > 0.3 * most_kilowatts * f.seconds / 3600);
  CHECK(f.kilowatt_hours < most_kilowatts * f.seconds / 3600);
  const Interval days = point.estimate->interval(figure_of(&RunFigures::days));
  CHECK(days.low < f.days);
  CHECK(days.high > f.days);
}

TEST_CASE("a run of RL whose responses are steps off first waits for a rollout") {
  RlRequest request = hundred_steps();
  request.rl.steps_off = 1;
  request.rl.generators = 4;
  const RlPoint point = rl_point(request, 8);
  const RlStep& step = point.split->step;
  CHECK(point.estimate->expected.start_up_seconds ==
        Approx((request.start_up + step.generation()).base()));
}

TEST_CASE(
    "failures and checkpoints lengthen a run of RL, and its overrun lengthens what is expected") {
  RlRequest request = hundred_steps();
  const double undisturbed = rl_point(request, 8).estimate->expected.seconds;
  request.expenses.time_to_failure = Seconds{8 * 3600.0};
  const RlPoint failing = rl_point(request, 8);
  CHECK(failing.estimate->expected.seconds > 1.1 * undisturbed);
  CHECK(failing.estimate->expected.lost_seconds > 0);
  request.expenses.storage.all = BytesPerSecond{1e9};
  const RlPoint slow = rl_point(request, 8);
  REQUIRE(slow.estimate->expense.checkpoint);
  CHECK(slow.estimate->expected.seconds > failing.estimate->expected.seconds);
  request.overrun = published_overrun;
  const RunEstimate overrun = *rl_point(request, 8).estimate;
  const RunFigure& days = figure_of(&RunFigures::days);
  CHECK(*overrun.typical(days) > *overrun.value(days));
  CHECK(overrun.overrun.steps == 1);
}

TEST_CASE("one step of RL has neither a start-up nor an overrun") {
  RlRequest request = hundred_steps();
  request.rl.steps.reset();
  request.overrun = published_overrun;
  const RlPoint point = rl_point(request, 8);
  CHECK(point.estimate->expected.start_up_seconds == 0);
  CHECK(point.estimate->overrun.is_none());
}

TEST_CASE("a division that moves to its own machine is as it was, and faster memory speeds it up") {
  RlRequest request = hundred_steps();
  for (const bool is_apart : {false, true}) {
    if (is_apart) request.rl.generators = 4;
    const RlPoint point = rl_point(request, 8);
    const RlSplit moved = moved_split(request, *point.split);
    CHECK(moved.step.period() == point.split->step.period());
    CHECK(plan_words(moved.plan) == plan_words(point.split->plan));
    RlRequest faster = request;
    faster.cluster.accelerator.memory_bandwidth.value *= 1.1;
    CHECK(moved_split(faster, *point.split).step.generation() < moved.step.generation());
  }
}

TEST_CASE("no eighth of the accelerators generates with a shorter step than the division chosen") {
  RlRequest request = hundred_steps();
  request.rl = {.prompts = 128,
                .generations = 16,
                .response_tokens = 2048,
                .longest_tokens = 8192,
                .steps_off = 1};
  const auto period = [&] { return rl_point(request, 24).split->step.period(); };
  const Seconds chosen = period();
  for (int generators = 3; generators < 24; generators += 3) {
    request.rl.generators = generators;
    CHECK(period() >= chosen);
  }
  for (const int whole_nodes : {8, 16}) {
    request.rl.generators = whole_nodes;
    CHECK(period() > chosen);
  }
}

TEST_CASE("the sensitivity of a run of RL names what generates as well as what trains") {
  const RlRequest request = hundred_steps();
  const Sensitivity found = sensitivity_of(*rl_point(request, 8).estimate, request.profile);
  const auto elasticity = [&](const std::string& name) {
    for (const Elasticity& each : found.elasticities)
      if (each.input.name == name) return each.elasticity[0];
    return 0.0;
  };
  for (const char* figure : {"accelerator.memory_bandwidth", "stack.gemm_efficiency"}) {
    INFO(figure);
    CHECK(elasticity(figure) < 0);
    CHECK(elasticity(figure) > -1);  // a part of the step follows each
  }
  REQUIRE_FALSE(found.uncertainties.empty());
  CHECK(found.uncertainties.front().name == "software");
}
