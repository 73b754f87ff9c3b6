#include "sim/simulation/accelerator_kind.hpp"

#include "sim/memory/fitting.hpp"
#include "sim/report/step_report.hpp"
#include "tests/catch.hpp"
#include "tests/unit/kernel/toy_profile.hpp"
#include "tests/unit/simulation/mixed_machines.hpp"
#include "tests/unit/simulation/toy_model.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const Plan pipeline{
    .tensor_parallel_size = 8, .pipeline_parallel_size = 4, .gradient_accumulation = 8};

SimulatedStep mixed_step(const Plan& plan, int nodes, StageRange stages = {}) {
  Cluster own = toy_machine();
  own.accelerator.memory = {Bytes{20e9}, "made up"};
  return simulate_step(
      toy_model(), plan, own, toy_profile(),
      {.mixed = MixedNodes{.cluster = half_machine(), .nodes = nodes, .stages = stages}});
}

}  // namespace

TEST_CASE("who holds what of a pipeline over two kinds") {
  const SimulatedStep step = mixed_step(pipeline, 1, {.first = 3, .end = 4});
  REQUIRE(step.kinds.size() == 2);
  CHECK(step.kinds[0].accelerators == 24);
  CHECK(step.kinds[1].accelerators == 8);
  CHECK(step.kinds[1].busy > step.kinds[0].busy);
  CHECK(step.kinds[1].busy <= step.times.total);
  REQUIRE(step.memory.size() == 4);
  for (const std::size_t stage : {0, 1, 2, 3})
    CHECK(step.holder(stage).name == (stage == 3 ? "half toy" : "toy"));
  // Three quarters run at 100 TFLOP/s and a quarter at 50.
  CHECK_THAT(step.peak().base(), WithinRel(87.5e12, 1e-12));
  CHECK_THAT(step.model_flops_utilisation(), WithinRel(step.achieved().base() / 87.5e12, 1e-12));
  CHECK_THAT(kinds_text(step), ContainsText("stages 1..3"));
  CHECK_THAT(pace_text(step), ContainsText("paced by      half toy: toy has "));
  const SimulatedStep inside = mixed_step(pipeline, 1, {.first = 1, .end = 2});
  CHECK_THAT(kinds_text(inside), ContainsText("stages 1..1, 3..4"));
}

TEST_CASE("replicas on two kinds: the slow one's time, both ones' memory") {
  const Plan plan{.tensor_parallel_size = 8, .data_parallel_size = 4, .gradient_accumulation = 4};
  const SimulatedStep step = mixed_step(plan, 3);
  CHECK(step.kinds[0].replicas == 1);
  CHECK(step.kinds[1].replicas == 3);
  REQUIRE(step.memory.size() == 2);
  CHECK(step.memory[0].total() == step.memory[1].total());
  CHECK(step.holder(0).name == "toy");
  CHECK(step.tightest() == 1);  // the chip of 10 GB, not of 20
  // All its kernels and links have half the speed, so the slow replicas alone set the step.
  CHECK(step.times.total == step.kinds[1].alone);
  CHECK(step.kinds[0].alone < step.kinds[1].alone);
  CHECK_THAT(kinds_text(step), ContainsText("3 replicas"));
}

TEST_CASE("each stage is held against the memory of its own accelerator") {
  SimulatedStep step = mixed_step(pipeline, 2, {.first = 0, .end = 2});
  const auto verdict = [&](std::size_t stage) {
    return fits(step.memory[stage], step.holder(stage));
  };
  for (const std::size_t stage : {0, 1, 2, 3}) CHECK(verdict(stage));
  step.memory[0].activations = step.memory[3].activations = Bytes{15e9};
  CHECK_FALSE(verdict(0));
  CHECK(verdict(3));
  CHECK(step.tightest() == 0);
  const AnswerText text = step_text(step);
  CHECK_THAT(text.details, ContainsText("memory of stage 1 of 4, on half toy"));
  CHECK_THAT(text.screen, ContainsText("of 10 GB, most loaded of 4 stages: DOES NOT FIT"));
  step.memory[0].activations += Bytes{10.2e9} - step.memory[0].total();
  CHECK_THAT(step_text(step).screen, ContainsText("CLOSE, it may not fit, 10.2 GB of 10.0"));
  CHECK_THAT(step_text(step).screen, ContainsText("of 10.0 GB, most loaded of 4 stages: MAY NOT"));
}

TEST_CASE("what both kinds would do without waiting") {
  std::vector<AcceleratorKind> kinds(2);
  kinds[0].accelerators = kinds[1].accelerators = 8;
  kinds[0].alone = Seconds{1};
  kinds[1].alone = Seconds{3};
  CHECK_THAT(without_waiting(kinds).base(), WithinRel(1.5, 1e-12));  // 2/3 of a step a second
  kinds[0].accelerators = 24;
  CHECK_THAT(without_waiting(kinds).base(), WithinRel(1.2, 1e-12));  // 3/4 + 1/12
}

TEST_CASE("records of a step say what it was mixed with, or nothing") {
  const Records plain =
      step_records({simulate_step(toy_model(), {}, toy_machine(), toy_profile())});
  const Records mixed = step_records({mixed_step(pipeline, 1, {.first = 3, .end = 4})});
  REQUIRE(plain.columns == mixed.columns);
  REQUIRE(mixed.rows[0].size() == mixed.columns.size());
  for (std::size_t i = 0; i < mixed.columns.size(); ++i) {
    if (mixed.columns[i] != "mixed_with" && mixed.columns[i] != "mixed_stages") continue;
    CHECK(std::holds_alternative<std::monostate>(plain.rows[0][i]));
    CHECK(std::get<std::string>(mixed.rows[0][i]) ==
          (mixed.columns[i] == "mixed_with" ? "half" : "4..4"));
  }
}
