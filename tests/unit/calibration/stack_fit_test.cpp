#include "sim/calibration/stack_fit.hpp"

#include <cmath>
#include <numeric>

#include "sim/core/name_table.hpp"
#include "sim/core/statistics.hpp"
#include "sim/simulation/stack_uncertainty.hpp"
#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"
#include "tests/unit/kernel/toy_profile.hpp"
#include "tests/unit/simulation/toy_model.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

KernelProfile stack(const std::string& name, const std::string& family) {
  KernelProfile profile = toy_profile();
  profile.name = name;
  profile.family = family;
  return profile;
}

/// Steps of many models that were run with this profile.
std::vector<FittedStep> steps_of(const KernelProfile& made,
                                 Architecture architecture = Architecture::Other) {
  std::vector<FittedStep> steps;
  for (int model = 0; model < 12; ++model) {
    StepCase step{.model = toy_model(),
                  .plan = {.tensor_parallel_size = model % 2 + 1, .micro_batch = 1.0 + model},
                  .cluster = toy_machine(),
                  .measured = {}};
    step.cluster.accelerator.architecture = architecture;
    step.measured = closed_step(step, made);
    steps.push_back({.step = step, .stack = made.name, .model = std::to_string(model)});
  }
  return steps;
}

double deviation(const KernelProfile& profile, std::size_t figure) {
  return std::sqrt(profile.uncertainty.covariance[figure * (stack_figures.size() + 1)]);
}

}  // namespace

TEST_CASE("the fit of stacks predicts the steps that it was made of, by figures near theirs") {
  KernelProfile made = stack("slow", "one");
  for (const StackFigure& figure : stack_figures) figure.set(made, figure.typical);
  made.gemm_efficiency.value = 0.70;
  const std::vector<KernelProfile> stacks{stack("slow", "one"), stack("alike", "one"),
                                          stack("other", "two")};
  const std::vector<FittedStep> steps = steps_of(made);
  const StackFit fit(steps, stacks);
  const KernelProfile learned = fit.learned(stacks[0]);
  CHECK(learned.steps == 12);
  for (const FittedStep& fitted : steps)
    CHECK_THAT(closed_step(fitted.step, learned) / *fitted.step.measured, WithinAbs(1, 0.02));
  // Products are the smaller part of these small steps, so the fit moves less from the prior.
  CHECK(learned.gemm_efficiency.value < 0.835);

  // A more closely related stack is moved more by the steps, and has a smaller deviation.
  const KernelProfile alike = fit.learned(stacks[1]);
  const KernelProfile other = fit.learned(stacks[2]);
  CHECK(learned.gemm_efficiency.value < alike.gemm_efficiency.value);
  CHECK(alike.gemm_efficiency.value < other.gemm_efficiency.value);
  CHECK(other.gemm_efficiency.value < stack_figures[0].typical);
  CHECK(deviation(learned, 0) < deviation(alike, 0));
  CHECK(deviation(alike, 0) < deviation(other, 0));
  // A stack without a name is as uncertain as one of a family without steps.
  CHECK_THAT(deviation(fit.learned(stack("new", "new")), 0), WithinRel(deviation(other, 0), 1e-9));
}

TEST_CASE("without steps the figures are as usual, with all their spread") {
  const std::vector<KernelProfile> stacks{stack("one", "")};
  const KernelProfile learned = StackFit({}, stacks).learned(stacks[0]);
  for (std::size_t i = 0; i < stack_figures.size(); ++i) {
    const StackFigure& figure = stack_figures[i];
    CHECK_THAT(figure.value(learned), WithinRel(figure.typical, 1e-9));
    CHECK_THAT(deviation(learned, i),
               WithinAbs(std::sqrt(figure.all * figure.all + figure.family * figure.family +
                                   figure.stack * figure.stack),
                         1e-5));
  }
}

TEST_CASE("what an architecture makes of products is told from what stacks do") {
  KernelProfile made = stack("both", "one");
  for (const StackFigure& figure : stack_figures) figure.set(made, figure.typical);
  const auto index = [](Architecture on) { return static_cast<std::size_t>(on); };
  made.product_factors[index(Architecture::Blackwell)] = 0.8;
  std::vector<FittedStep> steps = steps_of(made, Architecture::Hopper);
  for (const FittedStep& step : steps_of(made, Architecture::Blackwell)) steps.push_back(step);
  for (FittedStep& step : steps) step.model += name_of(step.step.cluster.accelerator.architecture);
  const std::vector<KernelProfile> stacks{made, stack("other", "two")};
  const StackFit fit(steps, stacks);
  for (const KernelProfile& each : stacks) {
    const auto learned = fit.learned(each).product_factors;
    CHECK(learned[index(Architecture::Blackwell)] < 0.95 * learned[index(Architecture::Hopper)]);
    CHECK_THAT(learned[index(Architecture::Volta)], WithinAbs(1, 1e-9));
  }
}

TEST_CASE("what steps scatter by is learnt beside their figures") {
  KernelProfile made = stack("one", "one");
  for (const StackFigure& figure : stack_figures) figure.set(made, figure.typical);
  const std::vector<KernelProfile> stacks{made};
  const auto discrepancy = [&](double scatter) {
    std::vector<FittedStep> steps = steps_of(made);
    for (std::size_t i = 0; i < steps.size(); ++i)
      *steps[i].step.measured *= std::exp(i % 2 == 0 ? scatter : -scatter);
    return StackFit(steps, stacks).learned(made).uncertainty.discrepancy.total();
  };
  const double typical = with_deviation_of_run(default_discrepancy).total();
  CHECK(discrepancy(0) < 0.8 * typical);
  CHECK(discrepancy(0.2) > 1.3 * typical);
  CHECK(StackFit({}, stacks).learned(made).uncertainty.discrepancy.total() == typical);
}

TEST_CASE("what steps moved a figure by sums to what was learnt") {
  KernelProfile made = stack("slow", "one");
  for (const StackFigure& figure : stack_figures) figure.set(made, figure.typical);
  made.gemm_efficiency.value = 0.70;
  const std::vector<KernelProfile> stacks{made, stack("alike", "one")};
  const StackFit fit(steps_of(made), stacks);
  for (const KernelProfile& each : stacks)
    for (const FitScope scope : {FitScope::Stack, FitScope::Family})
      for (std::size_t i = 0; i < stack_figures.size(); ++i) {
        const std::vector<double> moves = fit.moved_by(each, i, scope);
        REQUIRE(moves.size() == 12);
        const double learned = stack_figures[i].value(fit.learned(each, scope));
        CHECK_THAT(std::accumulate(moves.begin(), moves.end(), 0.0),
                   WithinAbs(std::log(learned / stack_figures[i].typical), 1e-6));
      }
}

TEST_CASE("a fit is the same to the last digit where its first lessons are known beforehand") {
  KernelProfile made = stack("slow", "one");
  made.gemm_efficiency.value = 0.70;
  const std::vector<KernelProfile> stacks{stack("slow", "one"), stack("other", "two")};
  std::vector<FittedStep> steps = steps_of(made);
  const KernelProfile learned = StackFit(steps, stacks).learned(stacks[0]);
  for (FittedStep& step : steps) step.evaluate_at_default_figures(stacks[0]);
  const KernelProfile again = StackFit(steps, stacks).learned(stacks[0]);
  for (const StackFigure& figure : stack_figures) {
    INFO(figure.key);
    CHECK(figure.value(learned) == figure.value(again));
  }
  CHECK(learned.uncertainty.covariance == again.uncertainty.covariance);
  // Changing the stored errors changes the fit, so they are used.
  for (FittedStep& step : steps) step.error += 1;
  CHECK(StackFit(steps, stacks).learned(stacks[0]).gemm_efficiency.value !=
        learned.gemm_efficiency.value);
}

TEST_CASE("a run's discrepancy is the standard deviation of the t that its scatter was fitted as") {
  constexpr int parts = 200'000;  // of the integral of the squared quantiles, which is the variance
  double variance = 0;
  for (int i = 0; i < parts; ++i) {
    const double share = (i + 0.5) / parts;
    variance += std::pow(student_quantile(share, static_cast<int>(run_freedom)), 2) / parts;
  }
  const Discrepancy deviations = with_deviation_of_run({.run = 0.02, .plan = 0.03, .model = 0.04});
  CHECK_THAT(deviations.run, WithinRel(0.02 * std::sqrt(variance), 0.005));
  CHECK(deviations.plan == 0.03);
  CHECK(deviations.model == 0.04);
}
