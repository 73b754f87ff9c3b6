#include <cmath>
#include <string>
#include <vector>

#include "sim/answers/quote_answer.hpp"
#include "sim/answers/scale_answer.hpp"
#include "sim/answers/scale_subject.hpp"
#include "sim/answers/stacks_answer.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_quote.hpp"
#include "sim/evidence/shipped.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

// Knees of the four workloads on H100, and the most that one published row in the fit moves them.
// The data decides the size of a move; a broken bound says that a knee is less certain than the
// program's README states.
using namespace tofn;
using namespace tofn::test;

namespace {

struct Predicted {
  std::vector<Observation> seen;
  OpenDescription run;
  ScaleRequest request;
  ScaleAnswer answer;
};

Predicted predicted_on_h100(Shipped& shipped, const std::string& workload) {
  Predicted made{.seen = shipped.observations(), .run = {}, .request = {}, .answer = {}};
  const Calibration calibration(made.seen);
  made.run.workload = shipped.library().find_workload(workload);
  made.run.cluster = shipped.library().find_cluster("dgx-h100");
  made.run.settings.software_release =
      newest_release(calibration, *made.run.workload, made.run.cluster->accelerator);
  made.request.sizes = {8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096};
  made.answer =
      scale_answer({.of = WorkloadRun{.open = made.run, .calibration = calibration}}, made.request);
  made.answer.left_out = knees_without_each(made.seen, made.run, made.request, made.answer);
  return made;
}

/// Largest move of a knee, as a share.
double most_moved(const ScaleAnswer& answer, std::size_t knee) {
  double most = 0;
  for (const KneesWithoutRow& without : answer.left_out) {
    REQUIRE(without.knees[knee].accelerators);
    most = std::max(most, std::abs(without.knees[knee].between / answer.knees[knee].between - 1));
  }
  return most;
}

struct KnownKnees {
  const char* workload;
  int product;  ///< in accelerators
  int gain;
  double moved;  ///< bound on the move of both
};

}  // namespace

TEST_CASE("the knees on H100 hold when any one published row is left out") {
  Shipped shipped(configs);
  for (const auto& [workload, product, gain, moved] :
       {KnownKnees{"bert", 512, 512, 0.16}, KnownKnees{"llama2_70b_lora", 128, 128, 0.01},
        KnownKnees{"retinanet", 1024, 1024, 0.05},
        KnownKnees{"stable_diffusion", 256, 512, 0.12}}) {
    INFO(workload);
    const ScaleAnswer answer = predicted_on_h100(shipped, workload).answer;
    REQUIRE(answer.knees.size() == 4);
    REQUIRE(answer.knees[0].name == "product");
    REQUIRE(answer.knees[1].name == "gain");
    CHECK(answer.knees[0].accelerators == product);
    CHECK(answer.knees[1].accelerators == gain);
    CHECK(answer.left_out.size() > 100);
    CHECK(most_moved(answer, 0) < moved);
    CHECK(most_moved(answer, 1) < moved);
    CHECK(most_moved(answer, 1) > 1e-4);  // some row has an effect
    // No row moves the size that the advice states.
    for (const KneesWithoutRow& without : answer.left_out) {
      INFO(without.row);
      CHECK(without.knees[0].accelerators == product);
      CHECK(std::abs(without.time_at_knee) < 0.05);
    }
  }
}

// Drift alarms, read off the output of `tofn scale --quotes` with its own stack. The table says for
// which four the figures were not looked up.
TEST_CASE("drift alarm: quoted examples beside their simulation") {
  Library library = Library::load(configs);
  const auto quotes = simulate_quotes(load_quotes(configs / "quotes"), library, configs,
                                      find_kernel_profile(configs, std::string(default_stack)));
  const auto ratio = [&](const std::string& name) {
    for (const SimulatedQuote& each : quotes)
      if (each.quote.name == name) return each.quoted.value() / each.simulated;
    FAIL("no quote " << name);
    return 0.0;
  };
  REQUIRE(quotes.size() == 5);
  CHECK_THAT(ratio("gpt3-v100"), WithinAbs(1.019, 0.02));
  CHECK_THAT(ratio("megatron-1t"), WithinAbs(0.973, 0.02));
  CHECK_THAT(ratio("bert-tpu-v3"), WithinAbs(0.78, 0.02));
  CHECK_THAT(ratio("bert-tpu-v3-mixed"), WithinAbs(0.92, 0.02));
  // Convolutions count as separate kernels, although libraries fuse norm and activation with them.
  CHECK_THAT(ratio("resnet50-abci"), WithinAbs(2.15, 0.06));
}

// A goal: no measurement of a quoted run is in the fit that simulates it.
TEST_CASE("a quoted run's own step is left out of what simulates it") {
  Library library = Library::load(configs);
  const auto quotes = simulate_quotes(load_quotes(configs / "quotes"), library, configs,
                                      find_kernel_profile(configs, std::string(default_stack)));
  int reported = 0;
  for (const SimulatedQuote& each : quotes)
    for (const std::string& remark : each.remarks)
      if (remark.find("was left out for this") != std::string::npos) {
        CHECK(each.quote.name == "megatron-1t");
        CHECK_THAT(remark, ContainsText("its own step (steps.csv:"));
        ++reported;
      }
  CHECK(reported == 1);
  KnownSteps known(configs);
  for (const auto& table : tables_of_steps(configs)) known.read(table, nullptr);
  const KernelProfile typical = find_kernel_profile(configs, std::string(default_stack));
  const auto is_it = [](const StepCaseRow& row) {
    return row.step.plan.accelerators() == 3072 && row.step.plan.global_batch() == 3072;
  };
  const auto without = relearned_without(known, typical, is_it);
  REQUIRE(without);
  CHECK(without->left_out.size() == 1);
  CHECK(without->stack.gemm_efficiency != typical.gemm_efficiency);
  CHECK_THAT(without->stack.gemm_efficiency, WithinRel(typical.gemm_efficiency, 0.02));
  CHECK_FALSE(relearned_without(known, typical, [](const StepCaseRow&) { return false; }));
}
