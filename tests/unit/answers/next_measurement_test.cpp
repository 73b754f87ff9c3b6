#include "sim/answers/next_measurement.hpp"

#include <algorithm>

#include "sim/answers/sensitivity_answer.hpp"
#include "sim/answers/uncertain_parts.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;

namespace {

std::string order_of(std::vector<Measurement> all) {
  std::string names;
  for (const Measurement& each : ranked(std::move(all))) names += each.name;
  return names;
}

Measurement named(const char* name, double hours, double deviation) {
  return {.name = name, .command = {}, .accelerator_hours = hours, .deviation = deviation};
}

}  // namespace

TEST_CASE("the cheapest of the measurements that leave alike intervals is the next one") {
  CHECK(order_of({named("a", 64, 0.100), named("b", 2, 0.105), named("c", 8, 0.102)}) == "bca");
  // 0.12 leaves an interval a fifth wider, however cheap it is.
  CHECK(order_of({named("a", 64, 0.100), named("b", 2, 0.12), named("c", 0, 0.3)}) == "abc");
  CHECK(order_of({}).empty());
}

TEST_CASE("measurements that narrow an interval by less than half a per cent are left out") {
  // Half-widths: 38.96 % of 0.2, and 38.68 to 38.87 % of the others; 0.995 x 38.96 is 38.77.
  const auto left =
      narrowing({named("a", 1, 0.1996), named("b", 1, 0.1988), named("c", 0, 0.2)}, 0.2);
  REQUIRE(left.size() == 1);
  CHECK(left.front().name == "b");
  CHECK(narrowing({}, 0.2).empty());
}

TEST_CASE("a step is measured where its plan fits, and is stated with the options of that plan") {
  // The optimizer's 12 bytes of 70.6 billion parameters over tp 8 x pp 2 are 53 GB, which one
  // replica does not share out.
  const Model model = find_model(configs, "llama3-70b");
  const KernelProfile stack = find_kernel_profile(configs, "unknown");
  Library library = Library::load(configs);
  const SimulatedStep step = simulate_step(model,
                                           {.tensor_parallel_size = 8,
                                            .pipeline_parallel_size = 2,
                                            .data_parallel_size = 64,
                                            .gradient_accumulation = 8,
                                            .sequence_parallel = true,
                                            .sharded = Sharded::Optimizer},
                                           library.cluster("dgx-h100"), stack);
  REQUIRE(fits(step));
  const std::vector<Plan> plans = plans_to_measure(step);
  REQUIRE(!plans.empty());
  CHECK(plans.front().data_parallel_size > 1);
  CHECK(plans.back().accelerators() == 1024);
  for (const Plan& plan : plans) CHECK(fits(simulate_step(model, plan, step.cluster, stack)));
  CHECK(observed_words(plans.back()) == "--observed '1024,512: TIME'");
  CHECK(plan_options(step) ==
        "--tp 8 --cp 1 --pp 2 --chunks 1 --sequence-parallel on "
        "--recompute none --sharded optimizer --micro-batch 1");
  Cluster small = step.cluster;
  small.accelerator.memory.value = Bytes{40e9};
  CHECK(plans_to_measure(simulate_step(model, step.plan, small, stack)).empty());
}

TEST_CASE("half of an interval is that of a log-normal time") {
  CHECK(half_width(0) == 0);
  CHECK(half_width(0.2) == Approx(0.3896).epsilon(1e-3));  // exp(1.645 x 0.2) - 1
}

TEST_CASE("a price that is the accelerator's is as uncertain as its known prices differ") {
  Library library = Library::load(configs);
  const Cluster& unpriced = library.cluster("dgx-h100");
  const Cluster& priced = library.cluster("aws-p5");
  const Cluster& of_another_chip = library.cluster("oracle-a100");
  const std::vector<const Cluster*> all{&unpriced, &priced, &of_another_chip};
  constexpr auto on_demand = static_cast<std::size_t>(PriceTerm::OnDemand);
  const double ratio =
      priced.prices[on_demand]->value / unpriced.accelerator.prices[on_demand]->value;
  CHECK(price_deviation(unpriced, {}, all) == Approx(std::abs(std::log(ratio)) / std::sqrt(2.0)));
  CHECK(price_deviation(unpriced, {}, std::vector<const Cluster*>{&unpriced}) == 0);
  CHECK(price_deviation(unpriced, {.price = 3}, all) == 0);
  CHECK(price_deviation(priced, {}, all) == 0);
}
