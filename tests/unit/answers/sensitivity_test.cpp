#include <algorithm>
#include <cmath>

#include "sim/answers/elasticities.hpp"
#include "sim/answers/sensitivity_answer.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/expense/expense.hpp"
#include "sim/kernel/kernel_time.hpp"
#include "sim/simulation/stack_uncertainty.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;

namespace {

const Cluster& sensitivity_machine(const char* name) {
  static Library library = Library::load(configs);
  return *library.find_cluster(name);
}

const KernelProfile& stack_named(const char* name = "unknown") {
  static const std::vector<KernelProfile> all = load_stacks(configs);
  return *std::find_if(all.begin(), all.end(),
                       [&](const KernelProfile& each) { return each.name == name; });
}

/// Llama 3 8B on this many accelerators with the plan that tofn chooses.
RunPoint run_8b(int accelerators, const KernelProfile& by = stack_named()) {
  StatedRun run{.name = "llama3-8b", .phases = {{.model = find_model(configs, "llama3-8b")}}};
  run.phases[0].stretches = {{512, 1e12 / run.phases[0].model.sequence_length}};
  const Cluster on = sensitivity_machine("dgx-h100");
  return run_point({.of = ModelRun{.run = run, .cluster = on, .stack = by}}, accelerators);
}

const Elasticity* of(const std::vector<Elasticity>& all, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Elasticity& each) { return each.input.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("the elasticity of a power of a figure is its exponent") {
  const PredictionInputs inputs{.cluster = sensitivity_machine("dgx-h100"), .stack = stack_named()};
  const auto found = elasticities(inputs, [](const PredictionInputs& in) {
    const double peak = in.cluster.accelerator.peak_at(Precision::Bf16).base();
    const double nics = in.cluster.network->nics_per_node.value;
    return Outcome{1e18 / peak, choose_price(in.cluster, in.expenses)->usd_per_hour,
                   std::sqrt(nics)};
  });
  REQUIRE(found.size() == 3);  // inputs without effect are left out
  CHECK(of(found, "accelerator.peak.bf16")->elasticity[0] == Approx(-1));
  CHECK(of(found, "accelerator.peak.bf16")->effect[0] == Approx(1 / 1.1 - 1));
  CHECK(of(found, "price")->elasticity[1] == Approx(1));
  CHECK(of(found, "price")->elasticity[0] == 0);
  CHECK(of(found, "network.nics_per_node")->elasticity[2] == Approx(0.5));
  CHECK(found.front().input.name == "accelerator.peak.bf16");  // it affects the time most
}

TEST_CASE("a count grows by a tenth where that makes a whole one, else it doubles") {
  for (const auto& [nics, change] : {std::pair{8, 1.0 / 8}, std::pair{4, 1.0}}) {
    PredictionInputs inputs{.cluster = sensitivity_machine("dgx-h100"), .stack = stack_named()};
    inputs.cluster.network->nics_per_node.value = nics;
    const auto found = elasticities(inputs, [](const PredictionInputs& in) {
      return Outcome{1.0 * in.cluster.network->nics_per_node.value, 1, 1};
    });
    REQUIRE(found.size() == 1);
    CHECK(found[0].change == Approx(change));
    CHECK(found[0].elasticity[0] == Approx(1));
  }
}

TEST_CASE("a figure at the end of its range moves as far as it can") {
  const PredictionInputs inputs{.cluster = sensitivity_machine("dgx-h100"), .stack = stack_named()};
  for (const VariableInput& input : variable_inputs(inputs)) {
    INFO(input.name);
    CHECK(input.bounds.holds(input.times(1.1)));
    CHECK(input.bounds.holds(input.times(1 / 1.1)));
    PredictionInputs changed = inputs;
    input.set(changed, input.times(1 / 1.1));
    const auto after = variable_inputs(changed);
    const auto found = std::find_if(after.begin(), after.end(), [&](const VariableInput& each) {
      return each.name == input.name;
    });
    REQUIRE(found != after.end());
    CHECK(found->value == Approx(input.times(1 / 1.1)));  // the value is the figure itself
  }
}

TEST_CASE("products of a chip of twice the peak take half the time, measured ones or not") {
  // By hand: 1 PFLOP at 989.4 TFLOP/s times the share that products reach, which stays.
  for (const char* name : {"dgx-h100", "dgx-a100", "mi300x", "tpu-v5p"}) {
    INFO(name);
    PredictionInputs inputs{.cluster = sensitivity_machine(name), .stack = stack_named()};
    const auto time = [&] {
      return product_time(Flops{1e15}, inputs.cluster.accelerator, inputs.stack).base();
    };
    const double typical = time();
    const std::vector<VariableInput> all = variable_inputs(inputs);
    const auto peak = std::find_if(all.begin(), all.end(), [](const VariableInput& each) {
      return each.name == "accelerator.peak.bf16";
    });
    REQUIRE(peak != all.end());
    CHECK(peak->moves.empty() != inputs.cluster.accelerator.best_product.has_value());
    peak->set(inputs, peak->times(2));
    CHECK(time() == Approx(typical / 2));
  }
}

TEST_CASE("a measured product does not pass its peak") {
  const PredictionInputs inputs{.cluster = sensitivity_machine("dgx-h100"), .stack = stack_named()};
  for (const VariableInput& input : variable_inputs(inputs)) {
    if (input.name == "accelerator.best_product") CHECK(input.times(20) == Approx(989.4e12));
    if (input.name == "accelerator.best_fp8_product") CHECK(input.times(20) == Approx(1978.9e12));
  }
}

TEST_CASE("cost is in proportion to its price") {
  const RunPoint point = run_8b(8);
  const Sensitivity found = sensitivity_of(*point.estimate, stack_named());
  CHECK(of(found.elasticities, "price")->elasticity[1] == Approx(1));
  CHECK(of(found.elasticities, "power.host") == nullptr);  // not stated, so a default applies
}

TEST_CASE("shares of doubts sum to all, and their deviation is the interval's") {
  for (const char* name : {"unknown", "megatron-core"}) {
    INFO(name);
    const RunPoint point = run_8b(64, stack_named(name));
    const Sensitivity found = sensitivity_of(*point.estimate, stack_named(name));
    double shares = 0;
    for (const TimeUncertainty& each : found.uncertainties) shares += each.share;
    CHECK(shares == Approx(1));
    // The reach of a figure of the stack is that of its share, also where others are correlated.
    for (const TimeUncertainty& each : found.uncertainties) {
      if (!each.name.ends_with("on the stack") && !each.name.ends_with("of the stack")) continue;
      INFO(each.name);
      const double reach = std::log(each.factor.high / each.factor.low) / 2;
      const double of_share = std::sqrt(std::max(0.0, each.share)) * found.deviation;
      CHECK(reach == Approx(ninety_percent_deviations * of_share).epsilon(0.02).margin(1e-6));
    }
    const RunEstimate& job = *point.estimate;
    const double width = std::log(job.time.interval.high / job.time.interval.low) / 2;
    CHECK(ninety_percent_deviations * found.deviation == Approx(width).epsilon(0.1));
    RunEstimate overrunning = job;
    overrunning.overrun = published_overrun;
    const Sensitivity drawn = sensitivity_of(overrunning, stack_named(name));
    CHECK(drawn.uncertainties.front().name == "steps as others ran them");
    CHECK(drawn.deviation > found.deviation);
  }
}

TEST_CASE("what is not known of failures makes a run longer or shorter") {
  const Sensitivity found = sensitivity_of(*run_8b(64).estimate, stack_named());
  std::size_t seen = 0;
  for (const TimeUncertainty& each : found.uncertainties)
    for (const InterruptionUncertainty& of : interruption_uncertainties)
      if (each.name == of.name) {
        INFO(each.name);
        ++seen;
        CHECK(each.factor.low < 1);
        CHECK(each.factor.high > 1);
        // Restarts add to the time in proportion, and so do their 5 % and 95 % points around the
        // default.
        if (of.figure != &Interruptions::restart) continue;
        const auto beyond_typical = [&](double z) { return std::exp(of.deviation * z) - 1; };
        CHECK((each.factor.high - 1) / (each.factor.low - 1) ==
              Approx(beyond_typical(ninety_percent_deviations) /
                     beyond_typical(-ninety_percent_deviations))
                  .epsilon(0.02));
      }
  CHECK(seen == interruption_uncertainties.size());
}

TEST_CASE("the measurement that is named leaves what it says") {
  const RunPoint point = run_8b(64);
  const Sensitivity before = sensitivity_of(*point.estimate, stack_named());
  REQUIRE_FALSE(before.next.empty());
  const Measurement& next = before.next.front();
  REQUIRE_FALSE(next.is_a_bound);
  CHECK(next.command == "--observed '8,64: TIME'");
  CHECK(next.plan == "--tp 1 --cp 1 --pp 1 --recompute none --sharded gradients --micro-batch 1");
  // 8 accelerators for five minutes and twenty steps.
  CHECK(next.accelerator_hours > 8 * 5 / 60.0);
  CHECK(next.accelerator_hours < 8 * 15 / 60.0);
  const SimulatedStep& step = *point.estimate->simulated();
  StepCase seen{.model = step.model, .plan = step.plan, .cluster = step.cluster, .measured = {}};
  seen.plan.data_parallel_size /= 8;
  seen.measured = 1.1 * closed_step(seen, stack_named());  // the value does not matter
  const KernelProfile known = sharpened(stack_named(), seen, Shared::ModelAndPlan);
  RunEstimate after = *point.estimate;
  Run sharpened = *after.run;
  sharpened.stretches[0].step = sharpened.stretches[0].step->on(step.cluster, known);
  after.run = std::make_shared<const Run>(sharpened);
  const Sensitivity left = sensitivity_of(after, known);
  CHECK(left.deviation == Approx(next.deviation).epsilon(0.05));
  CHECK(left.deviation < 0.6 * before.deviation);
}
