#include <fmt/format.h>

#include "sim/report/step_report.hpp"
#include "sim/timeline/timeline.hpp"
#include "tests/catch.hpp"
#include "tests/unit/kernel/toy_profile.hpp"
#include "tests/unit/simulation/mixed_machines.hpp"
#include "tests/unit/simulation/toy_model.hpp"

using namespace tofn;
using namespace tofn::test;

// If compute hides all gradients of a replica, their only cost is the slowdown of compute.
TEST_CASE("a step's text tells compute that hidden traffic slows from traffic that is waited for") {
  const auto text = [](double slowdown, bool hides) {
    KernelProfile profile = toy_profile();
    profile.overlap_slowdown.value = slowdown;
    const Plan plan{.data_parallel_size = 16, .micro_batch = 8, .data_overlap = hides};
    const SimulatedStep step = simulate_step(toy_model(), plan, toy_machine(), profile);
    StepWork free = step.work;
    free.slowdown = {};
    const double lost = (step.times.total - simulate(free).total) / Seconds{1e-3};
    return std::pair(step_text(step).details, lost);
  };
  const auto [slowed, lost] = text(0.3, true);
  CHECK(lost > 0);
  CHECK_THAT(slowed, ContainsText(fmt::format(
                         "; {:.3g} ms of the step is compute that goes slower beside it", lost)));
  CHECK_THAT(text(0, true).first, !ContainsText("goes slower"));
  CHECK_THAT(text(0.3, false).first, !ContainsText("goes slower"));
}
