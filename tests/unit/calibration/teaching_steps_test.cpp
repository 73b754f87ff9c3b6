#include "sim/calibration/teaching_steps.hpp"

#include "sim/config/library.hpp"
#include "sim/simulation/stack_uncertainty.hpp"
#include "sim/training/run.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;

namespace {

Library& library() {
  static Library loaded = Library::load(configs);
  return loaded;
}

RunDescription flux_on(const char* cluster, std::optional<Precision> precision) {
  RunDescription run{.workload = &library().workload("flux1"),
                     .cluster = &library().cluster(cluster),
                     .plan = {},
                     .settings = {}};
  run.plan = make_plan(run.workload->simulated->plan, 16, 512);
  run.settings.precision = precision;
  return run;
}

/// Seconds of a step of the run with these kernels.
double step_of(const RunDescription& run, const KernelProfile& kernels) {
  const Plan plan = simulated_plan(*run.workload, run.plan, run.settings);
  return closed_step({.model = run.workload->simulated->model,
                      .plan = plan,
                      .cluster = *run.cluster,
                      .measured = {}},
                     kernels)
      .base();
}

}  // namespace

TEST_CASE("steps measured in one domain teach runs on related chips, in their precision") {
  const RunDescription seen = flux_on("gb200-nvl72", Precision::Fp8);
  const KernelProfile& stack = seen.workload->simulated->kernels;
  const Observation observed{.run = seen,
                             .origin = "a test",
                             .step = Seconds(1.3 * step_of(seen, stack)),
                             .evaluation_each = Seconds(1),
                             .fixed = {},
                             .samples = {},
                             .samples_deviation = {}};
  const TeachingSteps steps(std::vector<const Observation*>{&observed, &observed});

  const RunDescription related = flux_on("dgx-b200", {});
  const auto learned = steps.learned_for(related);
  REQUIRE(learned);
  CHECK(learned->precision == Precision::Fp8);
  CHECK(learned->accelerator == "GB200");
  CHECK(learned->kernels->own_steps == 1);  // equal jobs count once
  const RunDescription in_fp8 = flux_on("dgx-b200", Precision::Fp8);
  const double moved = step_of(in_fp8, *learned->kernels) / step_of(in_fp8, stack);
  CHECK(moved > 1.05);
  CHECK(moved < 1.35);

  CHECK_FALSE(steps.learned_for(flux_on("dgx-h100", Precision::Fp8)));  // another architecture
}
