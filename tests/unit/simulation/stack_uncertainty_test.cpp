#include "sim/simulation/stack_uncertainty.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"
#include "tests/unit/kernel/toy_profile.hpp"
#include "tests/unit/simulation/toy_model.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

constexpr std::size_t count = stack_figures.size();

StepCase step() {
  return {
      .model = toy_model(), .plan = {.micro_batch = 4}, .cluster = toy_machine(), .measured = {}};
}

/// A profile in which only the figure of products is uncertain.
KernelProfile doubted(double deviation, const Discrepancy& discrepancy) {
  KernelProfile profile = toy_profile();
  profile.uncertainty.covariance.assign(count * count, 0);
  profile.uncertainty.covariance[products_figure] = deviation * deviation;
  profile.uncertainty.discrepancy = discrepancy;
  profile.chips = {{.chip = toy_machine().accelerator.name}};  // the chip has no uncertainty
  return profile;
}

double square(double value) { return value * value; }

}  // namespace

TEST_CASE("a response is the power with which a step follows a figure") {
  // The step takes T = 3 s x figure^2.
  const auto seconds = [](const KernelProfile& by) { return 3 * std::pow(by.traffic_factor, 2); };
  const StackResponse response = stack_response(toy_profile(), seconds, Architecture::Other);
  for (std::size_t i = 0; i < count; ++i)
    CHECK_THAT(response[i], WithinAbs(stack_figures[i].key == "traffic_factor" ? 2.0 : 0.0, 1e-12));
}

TEST_CASE("a response of some figures is that of all, and nothing of the others") {
  StepCase on_hopper = step();
  on_hopper.cluster.accelerator.architecture = Architecture::Hopper;
  const auto seconds = [&](const KernelProfile& by) { return closed_step(on_hopper, by).base(); };
  const StackResponse all = stack_response(toy_profile(), seconds, Architecture::Hopper);
  FigureSet request;
  request[products_figure] = true;
  const StackResponse some = stack_response(toy_profile(), seconds, Architecture::Hopper, request);
  REQUIRE(all[products_figure] < 0);
  for (std::size_t i = 0; i < count; ++i) {
    INFO(stack_figures[i].key);
    const bool is_requested = request[stack_figures[i].on ? stack_figures[i].of : i];
    CHECK(some[i] == (is_requested ? all[i] : 0));
  }
}

TEST_CASE("a step follows a figure of its chip's architecture as it does that of its stack") {
  StepCase on_blackwell = step();
  on_blackwell.cluster.accelerator.architecture = Architecture::Blackwell;
  const auto seconds = [&](const KernelProfile& by) {
    return closed_step(on_blackwell, by).base();
  };
  const StackResponse response = stack_response(toy_profile(), seconds, Architecture::Blackwell);
  REQUIRE(response[products_figure] < -0.3);
  for (std::size_t i = 0; i < count; ++i) {
    if (!stack_figures[i].on) continue;
    KernelProfile other = toy_profile();
    stack_figures[i].set(other, 0.8);
    const bool acts = stack_figures[i].on == Architecture::Blackwell;
    const StackFigure& of = stack_figures[stack_figures[i].of];
    KernelProfile slower = toy_profile();
    of.set(slower, 0.8 * of.value(slower));
    CHECK(response[i] == (acts ? response[stack_figures[i].of] : 0));
    CHECK_THAT(seconds(other), WithinRel(seconds(acts ? slower : toy_profile()), 1e-12));
  }
}

TEST_CASE("what is not known of figures and of the model adds in squares") {
  StackResponse response{};
  response[products_figure] = -0.5;
  // Deviation: sqrt((0.5 x 0.24)^2 + 0.03^2 + 0.04^2) = 0.13.
  const Discrepancy discrepancy{.run = 0.03, .plan = 0.04, .model = 0};
  StackUncertainty uncertainty = doubted(0.24, discrepancy).uncertainty;
  CHECK_THAT(stack_deviation(response, uncertainty), WithinAbs(0.13, 1e-12));
  CHECK_THAT(stack_deviation(response, {.discrepancy = discrepancy}), WithinAbs(0.05, 1e-12));
  // Variance: 0.0169 - 2 x 0.5 x 0.0048 = 0.11^2.
  uncertainty.with_model.assign(count, 0);
  uncertainty.with_model[products_figure] = 0.0048;
  CHECK_THAT(stack_deviation(response, uncertainty), WithinAbs(0.11, 1e-12));
}

TEST_CASE("what is not known of a chip is added to what is not known of the model") {
  const Accelerator chip = toy_machine().accelerator;
  KernelProfile profile = doubted(0.24, {.run = 0.03, .plan = 0.04, .model = 0.06});
  profile.chips = {{.chip = chip.name, .factor = 1.2, .deviation = 0.08, .with_figures = {0.002}}};
  const StackUncertainty known = uncertainty_on(profile, chip, toy_model());
  CHECK_THAT(known.discrepancy.model, WithinAbs(0.10, 1e-12));
  CHECK(known.with_model.at(products_figure) == 0.002);
  CHECK_THAT(profile.factor_on(chip), WithinAbs(1.2, 1e-12));
  Accelerator other = chip;
  other.name = "nobody measured it";
  CHECK_THAT(uncertainty_on(profile, other, toy_model()).discrepancy.model,
             WithinAbs(std::hypot(0.06, chip_deviation,
                                  std::hypot(stack_on_die_deviation, stack_on_chip_deviation)),
                       1e-12));
  CHECK(profile.factor_on(other) == 1);
}

TEST_CASE("steps that differ in their replicas alone have one key") {
  StepCase other = step();
  other.plan.data_parallel_size = 8;
  other.plan.gradient_accumulation = 3;
  CHECK(plan_key(other) == plan_key(step()));
  other.plan.micro_batch = 1;
  CHECK(plan_key(other) != plan_key(step()));
  StepCase longer = step();
  longer.model.sequence_length *= 2;
  CHECK(plan_key(longer) != plan_key(step()));
}

TEST_CASE("a measured step moves what is in doubt, and no more than Bayes' rule says") {
  const double figure_deviation = 0.2;
  const Discrepancy discrepancy{.run = 0.03, .plan = 0.04, .model = 0.07};
  const KernelProfile before = doubted(figure_deviation, discrepancy);
  StepCase measured = step();
  const auto seconds = [&](const KernelProfile& by) { return closed_step(measured, by).base(); };
  const double slower = 1.1;
  measured.measured = Seconds{seconds(before) * slower};
  const StackResponse response = stack_response(before, seconds, Architecture::Other);
  const double g = response[products_figure];
  REQUIRE(g < -0.3);
  // Prior variances of the error: g^2 s^2 of the figure, and those of the run, the plan, the model.
  const double of_figure = square(g * figure_deviation);
  const double all = of_figure + square(0.03) + square(0.04) + square(0.07);
  for (const Shared shared : {Shared::Model, Shared::ModelAndPlan}) {
    const double own = square(0.07) + (shared == Shared::Model ? 0 : square(0.04));
    const KernelProfile after = sharpened(before, measured, shared);
    CHECK_THAT(std::log(after.model_factor), WithinAbs(std::log(slower) * own / all, 1e-9));
    CHECK_THAT(g * std::log(after.gemm_efficiency / before.gemm_efficiency),
               WithinAbs(std::log(slower) * of_figure / all, 1e-9));
    CHECK_THAT(square(g) * after.uncertainty.covariance[products_figure],
               WithinAbs(of_figure * (1 - of_figure / all), 1e-9));
    CHECK(after.memory_efficiency.value == before.memory_efficiency.value);
    // For another step that shares as much, the shared part is as certain as Bayes' rule says.
    const double shares = of_figure + own;
    CHECK_THAT(square(stack_deviation(response, after.uncertainty)),
               WithinAbs(all - square(shares) / all, 1e-9));
    // The factor applies to the whole step, whatever its parts.
    KernelProfile twice = after;
    twice.model_factor *= 2;
    CHECK_THAT(seconds(twice) / seconds(after), WithinRel(2.0, 1e-12));
  }
}

TEST_CASE("steps on one chip leave the variance of a step on another one positive") {
  KernelProfile profile = doubted(0.2, {.run = 0.03, .plan = 0, .model = 0.05});
  StepCase measured = step();
  StepCase other = step();
  other.cluster.accelerator.name = "another chip";
  // Its factor is all but given by the figure of products: a covariance of 0.019 of at most 0.02.
  ChipFactor chip{.chip = other.cluster.accelerator.name, .deviation = 0.1};
  chip.with_figures.resize(count);
  chip.with_figures[products_figure] = 0.019;
  profile.chips.push_back(chip);
  const auto variance_without_noise = [&](const KernelProfile& by) {
    const auto seconds = [&](const KernelProfile& of) { return closed_step(other, of).base(); };
    const StackResponse response =
        stack_response(by, seconds, other.cluster.accelerator.architecture);
    const StackUncertainty known = uncertainty_on(by, other.cluster.accelerator, other.model);
    double variance = square(known.discrepancy.model);
    for (std::size_t i = 0; i < count; ++i) {
      variance += 2 * response[i] * known.with_model[i];
      for (std::size_t j = 0; j < count; ++j)
        variance += response[i] * known.covariance[i * count + j] * response[j];
    }
    return variance;
  };
  CHECK(variance_without_noise(profile) > 0);
  for (int i = 0; i < 6; ++i) {
    measured.measured = closed_step(measured, profile) * (i % 2 == 0 ? 1.02 : 0.98);
    profile = sharpened(profile, measured);
    CHECK(variance_without_noise(profile) > 0);
  }
  CHECK(profile.find_chip(other.cluster.accelerator, false)->deviation < 0.1);
}
