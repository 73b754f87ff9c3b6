#include <algorithm>
#include <variant>

#include <fmt/format.h>

#include "sim/report/step_report.hpp"
#include "sim/timeline/timeline.hpp"
#include "tests/catch.hpp"
#include "tests/unit/kernel/toy_profile.hpp"
#include "tests/unit/simulation/mixed_machines.hpp"
#include "tests/unit/simulation/toy_model.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("a step's row has the rates that its text says, tokens only of texts") {
  SimulatedStep step = simulate_step(toy_model(), {.data_parallel_size = 16, .micro_batch = 8},
                                     toy_machine(), toy_profile());
  const auto rate = [&](const char* name) {
    const Records records = step_records({step});
    const auto column = std::find(records.columns.begin(), records.columns.end(), name);
    REQUIRE(column != records.columns.end());
    return records.rows.front()[static_cast<std::size_t>(column - records.columns.begin())];
  };
  const double samples = 128 / step.times.total.base();
  CHECK_THAT(std::get<double>(rate("samples_per_s")), WithinRel(samples, 1e-9));
  step.model.sequence_length = 2048;
  CHECK_THAT(std::get<double>(rate("tokens_per_s")), WithinRel(2048 * samples, 1e-9));
  step.model.sequence_length = 0;
  CHECK(std::holds_alternative<std::monostate>(rate("tokens_per_s")));
}

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

TEST_CASE("a slow node and a slow link are told of by what is slower") {
  const auto told = [](double kernels, double link) {
    SimulatedStep step = simulate_step(toy_model(), {.data_parallel_size = 16}, toy_machine(),
                                       toy_profile(), {.slow = {kernels, link, 0}});
    return step_text(step).screen;
  };
  CHECK_THAT(told(1, 4),
             ContainsText("\nslow link     in stage 1: a byte takes 4 x as long on one link\n"));
  CHECK_THAT(told(2, 1), ContainsText("\nslow node     in stage 1: kernels take 2 x as long\n"));
  CHECK_THAT(told(2, 4), ContainsText("\nslow node     in stage 1: kernels take 2 x as long, a "
                                      "byte takes 4 x as long on one link\n"));
  CHECK_THAT(told(1, 1), !ContainsText("slow "));
}
