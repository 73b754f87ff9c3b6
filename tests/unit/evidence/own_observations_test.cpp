// Tests the way from a log of one node to a profile, to parameters, and to a prediction of eight
// nodes.
#include "sim/evidence/own_observations.hpp"

#include <fmt/format.h>

#include "sim/calibration/calibration.hpp"
#include "sim/calibration/own_steps.hpp"
#include "sim/evidence/shipped.hpp"
#include "sim/simulation/calibrated_step.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

namespace fs = std::filesystem;
constexpr double true_efficiency = 0.37;
constexpr Seconds overhead = 11_ms;

/// Seconds of a calibrated step with the known figures.
Seconds true_step(const Workload& workload, const Cluster& cluster, int accelerators, double batch,
                  double node_spread = 0) {
  ComputeProfile profile;
  profile.precision = pass_precision(Precision::Fp16, false);
  profile.efficiency = true_efficiency;
  profile.overhead = overhead;
  profile.node_spread = node_spread;
  const Plan plan = make_plan({.accelerators = accelerators, .global_batch = batch});
  RunSettings settings;
  settings.precision = Precision::Fp16;
  return CalibratedStep(workload, cluster, plan, settings, profile).times().total;
}

/// Log of Megatron-LM with a slow start, noise of a thousandth, and one checkpoint.
std::string megatron_log(double batch, Seconds step) {
  std::string text =
      " > world_size ........ 8\n > tensor_model_parallel_size .... 1\n"
      " > context_parallel_size ........ 1\n" +
      fmt::format(" > micro_batch_size ........ {:g}\n", batch / 8);
  for (int i = 1; i <= 12; ++i) {
    const double factor = i == 1 ? 4 : i == 7 ? 1.9 : 1 + 0.001 * (i % 3 - 1);
    text += fmt::format(
        " iteration {:8}/ 12 | consumed samples: {:g} | elapsed time per iteration (ms): {:.4f} | "
        "global batch size: {:5g} | lm loss: 1.0E+00 |\n",
        i, i * batch, step.base() * 1e3 * factor, batch);
  }
  return text;
}

/// Profile from logs of several batches, written to the file of calibrate and read again.
StepProfile profile_of(const Workload& workload, const Cluster& cluster,
                       const std::vector<double>& batches) {
  StepProfile profile{.name = "mine", .workload = "bert", .cluster = "dgx-h100"};
  profile.settings.precision = Precision::Fp16;
  for (const double batch : batches) {
    const Seconds step = true_step(workload, cluster, 8, batch);
    const auto reading = read_step_log(megatron_log(batch, step), fmt::format("{:g}.log", batch));
    profile.rows.insert(profile.rows.end(), reading.steps.begin(), reading.steps.end());
  }
  return load_step_profile(TemporaryFile("mine.yaml", to_yaml(profile, {})).path());
}

}  // namespace

TEST_CASE("logs of one node recover overhead and efficiency, and predict eight nodes") {
  Shipped shipped(configs);
  Library& library = shipped.library();
  const Workload& bert = library.workload("bert");
  const Cluster& dgx = library.cluster("dgx-h100");
  const auto own = own_observations("mine.yaml", profile_of(bert, dgx, {192, 384, 768}), library);
  const Calibration calibration(with_own_steps(shipped.observations(), own));
  RunDescription run = own.front().run;
  run.plan = make_plan({.accelerators = 64, .global_batch = 3072});
  const RunParameters parameters = calibration.parameters_for(run);
  CHECK_THAT(parameters.compute.efficiency, WithinRel(true_efficiency, 0.005));
  CHECK_THAT(parameters.compute.overhead.base(), WithinRel(overhead.base(), 0.01));
  CHECK(parameters.compute.origin == "H100 SXM, step profile mine");
  const Seconds truth = true_step(bert, dgx, 64, 3072, parameters.compute.node_spread);
  const RunEstimate prediction = estimate(benchmark_run(run, parameters));
  CHECK_THAT(prediction.expected.step_seconds, WithinRel(truth.base(), 0.003));
  CHECK(prediction.interval(figure_of(&RunFigures::step_seconds)).contains(truth.base()));
}

TEST_CASE("one batch borrows the overhead, and meets its own step again") {
  Shipped shipped(configs);
  Library& library = shipped.library();
  const Workload& bert = library.workload("bert");
  const Cluster& dgx = library.cluster("dgx-h100");
  const auto own = own_observations("mine.yaml", profile_of(bert, dgx, {384}), library);
  const RunDescription& run = own.front().run;
  const ComputeProfile alone = Calibration(shipped.observations()).profile_for(run);
  const ComputeProfile joined =
      Calibration(with_own_steps(shipped.observations(), own)).profile_for(run);
  CHECK(joined.overhead == alone.overhead);
  CHECK(joined.origin == "H100 SXM, step profile mine (overhead borrowed)");
  const Seconds step = CalibratedStep(bert, dgx, run.plan, run.settings, joined).times().total;
  CHECK_THAT(step.base(), WithinRel(true_step(bert, dgx, 8, 384).base(), 0.003));
}

TEST_CASE("a row whose plan does not fit is refused by its source") {
  Library library = Library::load(configs);
  StepProfile profile{.name = "mine", .workload = "bert", .cluster = "dgx-h100"};
  profile.rows = {{.source = "run.log", .accelerators = 8, .global_batch = 4}};
  CHECK(refusal([&] { own_observations("mine.yaml", profile, library); }) ==
        "mine.yaml: run.log: global batch 4 leaves less than one sample to each of 8 replicas x 1 "
        "accumulation steps: tp*pp*cp must be at least 2, is 1");
  // 8 x 989 Tflop/s in 16 bits cannot do 384 samples of BERT in a millisecond.
  profile.settings.precision = Precision::Fp16;
  profile.rows = {{.source = "run.log", .accelerators = 8, .global_batch = 384, .step = 1_ms}};
  CHECK(refusal([&] {
          own_observations("mine.yaml", profile, library);
        }).starts_with("mine.yaml: run.log: 384 samples of bert in 1 ms on 8 H100 SXM would be "));
  profile.cluster = "dgx-h10";
  CHECK(refusal([&] { own_observations("mine.yaml", profile, library); })
            .starts_with("mine.yaml: cluster: unknown cluster 'dgx-h10', did you mean 'dgx-h100', "
                         "'dgx-a100' or 'dgx-h200'?"));
}
