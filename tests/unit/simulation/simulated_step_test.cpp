#include "sim/simulation/simulated_step.hpp"

#include <numeric>

#include "sim/parallelism/plan_fields.hpp"
#include "sim/report/step_report.hpp"
#include "sim/simulation/step_substitutions.hpp"
#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"
#include "tests/unit/kernel/toy_profile.hpp"
#include "tests/unit/simulation/toy_model.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

StepTimes times_of(std::initializer_list<std::pair<StepPart, double>> parts) {
  StepTimes times;
  for (const auto& [part, seconds] : parts) {
    times.parts[static_cast<std::size_t>(part)] = Seconds{seconds};
    times.total += Seconds{seconds};
  }
  return times;
}

SimulatedStep toy(const Cluster& cluster = toy_machine(),
                  const Plan& plan = {.tensor_parallel_size = 4, .data_parallel_size = 4}) {
  return simulate_step(toy_model(), plan, cluster, toy_profile());
}

double number_at(const Records& records, const std::string& column) {
  for (std::size_t i = 0; i < records.columns.size(); ++i)
    if (records.columns[i] == column) return std::get<double>(records.rows.front()[i]);
  FAIL("no column " << column);
  return 0;
}

}  // namespace

TEST_CASE("the textbook's classes of bottleneck") {
  using enum StepPart;
  CHECK(bottleneck_of(times_of({{Compute, 0.95}, {Data, 0.05}})).name == "compute");
  CHECK(bottleneck_of(times_of({{Compute, 0.85}, {Data, 0.15}})).name == "mixed");
  CHECK(bottleneck_of(times_of({{Compute, 0.6}, {Tensor, 0.2}, {Data, 0.2}})).name ==
        "communication");
  CHECK(bottleneck_of(times_of({{Compute, 0.85}, {Bubble, 0.1}, {Imbalance, 0.05}})).name ==
        "bubble");
  CHECK(bottleneck_of(times_of({{Compute, 0.85}, {Bubble, 0.05}, {Imbalance, 0.1}})).name ==
        "imbalance");
  const Bottleneck found = bottleneck_of(times_of({{Compute, 6}, {Optimizer, 1}, {Launch, 3}}));
  CHECK_THAT(found.busy, WithinRel(0.7, 1e-12));
  CHECK_THAT(found.launch, WithinRel(0.3, 1e-12));
  CHECK(found.name == "mixed");
}

TEST_CASE("a simulated step's rate is its FLOPs over its time") {
  const SimulatedStep step = toy();
  const double seconds = step.times.total.base();
  const double flops = model_flops(toy_model()).base() * 4;  // a batch of four
  CHECK_THAT(step.achieved().base(), WithinRel(flops / seconds / 16, 1e-12));
  CHECK_THAT(step.samples_per_second(), WithinRel(4 / seconds, 1e-12));
  CHECK_THAT(step.model_flops_utilisation(),
             WithinRel(flops / seconds / 16 /
                           toy_machine().accelerator.peak_at(toy_model().precision).base(),
                       1e-12));
}

TEST_CASE("the interval holds the step, and grows with what is in doubt") {
  const SimulatedStep alone = toy(toy_machine(), {});
  const SimulatedStep many = toy();
  for (const SimulatedStep* step : {&alone, &many}) {
    CHECK(step->seconds.low < step->times.total.base());
    CHECK(step->seconds.high > step->times.total.base());
  }
  Cluster slow = toy_machine();
  slow.network->nic_bandwidth.value *= 0.01;
  const SimulatedStep bound = toy(slow);
  // Links limit the step, so their 15 % set the interval: e^(1.645 x 0.15) = 1.28.
  CHECK_THAT(bound.seconds.high / bound.times.total.base(), WithinRel(1.28, 0.03));
}

TEST_CASE("the interval holds doubt about the latency between leaves") {
  Cluster spread = toy_machine();
  spread.network->nodes_per_leaf.value = 1;
  spread.network->spine_latency = {1_s, "made up"};
  const SimulatedStep step = toy(spread);
  // The latency is nearly all of the step, so its 30 % set the interval: e^(1.645 x 0.30) = 1.64.
  CHECK_THAT(step.seconds.high / step.times.total.base(), WithinRel(1.64, 0.03));
}

TEST_CASE("the way from one cluster to another ends there") {
  Cluster faster = toy_machine();
  faster.name = "faster";
  for (auto& peak : faster.accelerator.peak)
    if (peak) peak->value *= 2;
  faster.network->nic_bandwidth.value *= 2;
  const SimulatedStep from = toy();
  const SimulatedStep to = toy(faster);
  const auto changes = changes_between(from, to, toy_profile());
  REQUIRE(changes.size() == 3);
  CHECK(changes[0].after < from.times.total);
  CHECK(changes[1].after == changes[0].after);  // the same scale-up fabric
  CHECK(changes[2].after == to.times.total);
  const std::string text = step_difference_text(from, to, changes);
  CHECK_THAT(text, ContainsText("faster"));
  CHECK_THAT(text, ContainsText("network"));
}

TEST_CASE("the parts of a step's record sum to it, and those of its memory too") {
  const Records records = step_records({toy()});
  double sum = 0;
  for (const auto& [name, part] : step_parts) sum += number_at(records, std::string(name) + "_s");
  CHECK_THAT(sum, WithinRel(number_at(records, "step_s"), 1e-12));
  double gigabytes = 0;
  for (const FootprintPart& part : footprint_parts)
    gigabytes += number_at(records, "memory_" + std::string(part.name) + "_gb");
  CHECK_THAT(gigabytes, WithinRel(number_at(records, "memory_gb"), 1e-12));
}

TEST_CASE("a plan in words says what is not usual") {
  CHECK(plan_words({}) == "dp 1, 1 micro-batch of 1");
  Plan plan{.tensor_parallel_size = 8, .pipeline_parallel_size = 4, .gradient_accumulation = 16};
  plan.recompute = Recompute::Full;
  plan.sharded = Sharded::Optimizer;
  CHECK(plan_words(plan) ==
        "tp 8, pp 4, dp 1, 16 micro-batches of 1, 1f1b, recompute full, optimizer sharded");
}

TEST_CASE("formats that nothing is kept in are told, others are not") {
  Cluster cluster = toy_machine();
  cluster.accelerator.peak[static_cast<std::size_t>(Precision::Fp4)] = {400_TFLOPps, "made up"};
  Plan plan;
  const auto is_reported = [&](std::string_view start) {
    const auto all = substitutions(toy_model(), plan, cluster, {});
    return std::any_of(all.begin(), all.end(),
                       [&](const std::string& each) { return each.starts_with(start); });
  };
  const auto is_idle = [&](Precision products) {
    plan.precision = products;
    return is_reported("parameters kept in fp8 go with products in fp8 or fp4");
  };
  CHECK_FALSE(is_idle(Precision::Bf16));
  plan.kept_parameters = KeptFormat::Fp8;
  CHECK(is_idle(Precision::Bf16));
  StackDefaults keeps_fp8;
  keeps_fp8.kept_parameters = KeptFormat::Fp8;
  plan.precision = Precision::Bf16;
  CHECK(substitutions(toy_model(), plan, cluster, keeps_fp8).size() + 1 ==
        substitutions(toy_model(), plan, cluster, {}).size());
  CHECK_FALSE(is_idle(Precision::Fp8));
  CHECK_FALSE(is_idle(Precision::Fp4));
  // Parameters kept only in fp32 are also the optimizer's copy.
  const auto master_is_idle = [&] { return is_reported("--kept-master does nothing here"); };
  plan = {.kept_parameters = KeptFormat::Fp32};
  CHECK_FALSE(master_is_idle());
  for (const KeptFormat format : {KeptFormat::Fp32, KeptFormat::Bf16}) {
    plan = {.kept_master = format};
    CHECK_FALSE(master_is_idle());
    plan.kept_parameters = KeptFormat::Fp32;
    CHECK(master_is_idle());
  }
}
