#include "sim/calibration/stack_fit.hpp"
#include "sim/simulation/stack_uncertainty.hpp"
#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"
#include "tests/unit/kernel/toy_profile.hpp"
#include "tests/unit/model/models.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Steps of mixtral-8x7b that take `slower` times as long as with the default figures.
std::vector<FittedStep> slow_mixtures(const KernelProfile& stack, double slower) {
  std::vector<FittedStep> steps;
  KernelProfile typical = stack;
  for (const StackFigure& figure : stack_figures) figure.set(typical, figure.typical);
  for (const double samples : {1.0, 2.0, 4.0}) {
    StepCase step{.model = shipped_model("mixtral-8x7b"),
                  .plan = {.micro_batch = samples},
                  .cluster = toy_machine(),
                  .measured = {}};
    step.measured = slower * closed_step(step, typical);
    steps.push_back({.step = step, .stack = stack.name, .model = "mixtral"});
  }
  return steps;
}

}  // namespace

TEST_CASE("slow mixtures teach what experts take, and nothing of dense layers or of the chip") {
  KernelProfile stack = toy_profile();
  stack.name = "toy";
  const std::vector<KernelProfile> stacks{stack};
  const StackFit fit(slow_mixtures(stack, 1.5), stacks);
  const KernelProfile learned = fit.learned(stack);
  for (const StackFigure& figure : stack_figures) {
    CAPTURE(std::string(figure.key));
    if (figure.of_mixtures)
      CHECK(figure.value(learned) >= 0.99 * figure.typical);
    else
      CHECK_THAT(figure.value(learned), WithinRel(figure.typical, 1e-9));
  }
  CHECK(learned.mixture_factor.value > 1.15);
  CHECK(learned.chips.empty());
  REQUIRE(learned.mixture_chips.size() == 1);
  CHECK(learned.mixture_chips[0].factor > 1.02);
  // The stack's own steps say more about it on this chip than the steps of its family do.
  const KernelProfile of_family = fit.learned(stack, FitScope::Family);
  CHECK(of_family.mixture_chips[0].factor < learned.mixture_chips[0].factor);
  CHECK(of_family.mixture_chips[0].deviation > learned.mixture_chips[0].deviation);
  // No mixture moved a dense figure.
  for (const double by : fit.moved_by(stack, products_figure, FitScope::Stack)) CHECK(by == 0);
}

TEST_CASE("a chip's factor of mixtures is on their steps alone") {
  KernelProfile stack = toy_profile();
  const Accelerator chip = toy_machine().accelerator;
  stack.mixture_chips = {{.chip = chip.name, .factor = 1.5}};
  CHECK(stack.factor_on(chip) == 1);
  CHECK(stack.factor_on(chip, true) == 1.5);
  const auto seconds = [&](const char* model, const KernelProfile& by) {
    const StepCase step{.model = shipped_model(model),
                        .plan = {.micro_batch = 1},
                        .cluster = toy_machine(),
                        .measured = {}};
    return closed_step(step, by).base();
  };
  const KernelProfile plain = toy_profile();
  CHECK(seconds("llama3-8b", stack) == seconds("llama3-8b", plain));
  CHECK(seconds("mixtral-8x7b", stack) > 1.3 * seconds("mixtral-8x7b", plain));
}
