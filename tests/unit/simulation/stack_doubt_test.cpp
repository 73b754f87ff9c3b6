#include "sim/simulation/stack_doubt.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"
#include "tests/unit/kernel/toy_profile.hpp"
#include "tests/unit/simulation/toy_model.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

constexpr std::size_t count = stack_figures.size();
constexpr std::size_t products = 0;

StepCase step() {
  return {
      .model = toy_model(), .plan = {.micro_batch = 4}, .cluster = toy_machine(), .measured = {}};
}

/// Of which products alone are in doubt.
KernelProfile doubted(double deviation, double discrepancy) {
  KernelProfile profile = toy_profile();
  profile.doubt.covariance.assign(count * count, 0);
  profile.doubt.covariance[products] = deviation * deviation;
  profile.doubt.discrepancy = discrepancy;
  return profile;
}

}  // namespace

TEST_CASE("a response is the power with which a step follows a figure") {
  // T = 3 s x figure^2
  const auto seconds = [](const KernelProfile& by) { return 3 * std::pow(by.traffic_factor, 2); };
  const StackResponse response = stack_response(toy_profile(), seconds);
  for (std::size_t i = 0; i < count; ++i)
    CHECK_THAT(response[i], WithinAbs(stack_figures[i].key == "traffic_factor" ? 2.0 : 0.0, 1e-12));
}

TEST_CASE("what is not known of figures and of the model adds in squares") {
  StackResponse response{};
  response[products] = -0.5;
  // sqrt((0.5 x 0.24)^2 + 0.05^2) = 0.13
  CHECK_THAT(stack_deviation(response, doubted(0.24, 0.05).doubt), WithinAbs(0.13, 1e-12));
  CHECK_THAT(stack_deviation(response, StackDoubt{{}, 0.05}), WithinAbs(0.05, 1e-12));
}

TEST_CASE("a measured step moves what is in doubt, and no more than Bayes' rule says") {
  const double figure_deviation = 0.2;
  const double discrepancy = 0.1;
  const KernelProfile before = doubted(figure_deviation, discrepancy);
  StepCase measured = step();
  const auto seconds = [&](const KernelProfile& by) { return closed_step(measured, by).base(); };
  const double slower = 1.1;
  measured.measured = Seconds{seconds(before) * slower};
  const double g = stack_response(before, seconds)[products];
  REQUIRE(g < -0.3);
  // Prior variances of the error: g^2 s^2 of the figure; d^2 of the model and of the run.
  const double of_figure = g * g * figure_deviation * figure_deviation;
  const double of_model = discrepancy * discrepancy * 0.0064 / (0.0064 + 0.0025);
  const double all = of_figure + discrepancy * discrepancy;
  const KernelProfile after = sharpened(before, {&measured, 1});
  CHECK_THAT(std::log(after.model_factor), WithinAbs(std::log(slower) * of_model / all, 1e-9));
  CHECK_THAT(g * std::log(after.gemm_efficiency / before.gemm_efficiency),
             WithinAbs(std::log(slower) * of_figure / all, 1e-9));
  CHECK_THAT(g * g * after.doubt.covariance[products],
             WithinAbs(of_figure * (1 - of_figure / all), 1e-9));
  CHECK(after.memory_efficiency.value == before.memory_efficiency.value);
  // The factor is of the whole step, whatever it spends its time on.
  KernelProfile twice = after;
  twice.model_factor *= 2;
  CHECK_THAT(seconds(twice) / seconds(after), WithinRel(2.0, 1e-12));
}

TEST_CASE("several steps teach together what one after the other would") {
  const double figure_deviation = 0.2;
  const double discrepancy = 0.1;
  const KernelProfile before = doubted(figure_deviation, discrepancy);
  std::vector<StepCase> measured(3, step());
  const auto seconds = [&](const KernelProfile& by) { return closed_step(step(), by).base(); };
  const double slower = 1.1;
  for (StepCase& each : measured) each.measured = Seconds{seconds(before) * slower};
  const double g = stack_response(before, seconds)[products];
  const double of_figure = g * g * figure_deviation * figure_deviation;
  const double of_model = discrepancy * discrepancy * 0.0064 / (0.0064 + 0.0025);
  const double of_run = discrepancy * discrepancy - of_model;
  // Three equal runs are one of a third of the variance.
  const double all = of_figure + of_model + of_run / 3;
  const KernelProfile after = sharpened(before, measured);
  CHECK_THAT(std::log(after.model_factor), WithinAbs(std::log(slower) * of_model / all, 1e-9));
  CHECK_THAT(g * std::log(after.gemm_efficiency / before.gemm_efficiency),
             WithinAbs(std::log(slower) * of_figure / all, 1e-9));
  CHECK_THAT(after.doubt.discrepancy * after.doubt.discrepancy,
             WithinAbs(of_run + of_model * (1 - of_model / all), 1e-9));
  CHECK(after.own_steps == 3);
  // A median of few unsteady steps says less.
  measured[0].measured_error = 1;
  CHECK(sharpened(before, {&measured[0], 1}).doubt.discrepancy > 0.99 * discrepancy);
}
