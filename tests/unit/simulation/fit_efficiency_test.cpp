#include "sim/simulation/fit_efficiency.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"
#include "tests/unit/kernel/toy_profile.hpp"
#include "tests/unit/simulation/toy_model.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("the fit finds the efficiency that made the steps") {
  KernelProfile made = toy_profile();
  made.gemm_efficiency = {0.637, "made up"};
  std::vector<EfficiencyCurve> curves;
  for (const int micro_batch : {1, 4}) {
    StepCase step{.model = toy_model(),
                  .plan = {.tensor_parallel_size = 2, .micro_batch = 1.0 * micro_batch},
                  .cluster = toy_machine(),
                  .measured = {}};
    step.measured = step_times(step, made).total;
    curves.push_back(efficiency_curve(step, toy_profile()));
    CHECK_THAT(curves.back().at(0.637), WithinAbs(0, 2e-4));
    CHECK_THAT(curves.back().at(lowest_efficiency), WithinAbs(curves.back().errors.front(), 1e-12));
    CHECK_THAT(curves.back().at(1), WithinAbs(curves.back().errors.back(), 1e-12));
  }
  CHECK_THAT(fit_efficiency(curves), WithinAbs(0.637, 1e-3));
}

TEST_CASE("steps that disagree are met in the middle of their logarithms, and bounds hold") {
  EfficiencyCurve slow;
  EfficiencyCurve fast;
  EfficiencyCurve impossible;
  for (std::size_t i = 0; i < slow.errors.size(); ++i) {
    // predicted / measured = c / efficiency
    const double log_efficiency = std::log(lowest_efficiency) * (1 - static_cast<double>(i) / 40);
    slow.errors[i] = std::log(0.4) - log_efficiency;
    fast.errors[i] = std::log(0.9) - log_efficiency;
    impossible.errors[i] = std::log(3.0) - log_efficiency;
  }
  CHECK_THAT(fit_efficiency(std::array{slow, fast}), WithinAbs(0.6, 1e-4));
  CHECK_THAT(fit_efficiency(std::array{impossible}), WithinAbs(1.0, 1e-4));
}
