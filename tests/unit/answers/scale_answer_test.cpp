#include "sim/answers/scale_answer.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/answers/predict_answer.hpp"
#include "sim/answers/scale_subject.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/core/answer_of_no.hpp"
#include "sim/evidence/shipped.hpp"
#include "sim/scaling/accelerator_time.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Shipped files, read once.
Shipped& shipped() {
  static Shipped read(configs);
  return read;
}

OpenDescription run_of(const char* workload, const char* cluster) {
  OpenDescription run;
  run.workload = shipped().library().find_workload(workload);
  run.cluster = shipped().library().find_cluster(cluster);
  run.settings.software_release =
      newest_release(shipped().calibration(), *run.workload, run.cluster->accelerator);
  return run;
}

ScaleRequest sizes(std::vector<int> counts) {
  ScaleRequest request;
  request.sizes = std::move(counts);
  return request;
}

ScaleSubject predicted(const OpenDescription& open, int split_at) {
  return scale_subject({.of = WorkloadRun{.open = open, .calibration = shipped().calibration()}},
                       sizes({split_at}));
}

/// One step of a model, without limits or a target.
StatedRun one_step(const char* model, const StatedPlan& plan, double batch = 64) {
  return {.name = model,
          .phases = {{.model = find_model(configs, model),
                      .stretches = {{.batch = batch, .samples = batch}},
                      .plan = plan}},
          .is_one_step = true};
}

/// Stack of all simulated runs.
const KernelProfile& run_stack() {
  static const KernelProfile megatron = find_kernel_profile(configs, "megatron");
  return megatron;
}

RunRequest request_on(const StatedRun& run, const char* cluster) {
  return {.of = ModelRun{.run = run,
                         .cluster = *shipped().library().find_cluster(cluster),
                         .stack = run_stack(),
                         .holds_loss = true}};
}

ScaleSubject simulated(const StatedRun& run, const char* cluster, std::vector<int> counts = {8}) {
  return scale_subject(request_on(run, cluster), sizes(std::move(counts)));
}

}  // namespace

TEST_CASE("each system is left out in turn, and the others' medians remain") {
  const std::vector<NamedTime> systems{
      {"a", {8, 64}}, {"b", {16, 36}}, {"c", {32, 22}}, {"d", {32, 30}}, {"e", {64, 17}}};
  const ScaleRequest request;
  const ScaleAnswer answer = scale_answer(medians_by_size(systems), request);
  // (T8/T)^2 8/N is 1, 1.580, 1.515 (with the median of 26), 1.772.
  REQUIRE(answer.knees.front().accelerators == 64);
  const auto without = knees_without_each(systems, request, answer);
  REQUIRE(without.size() == 5);
  CHECK(without[3].row == "d");
  CHECK(without[3].knees.front().accelerators == 32);  // 2.116 with 22 alone
  CHECK(without[2].knees.front().accelerators == 64);  // 1.138 with 30 alone
  CHECK(without[4].knees.front().accelerators == 16);
  CHECK(without[4].time_at_knee == 0);  // the size itself is missing
  CHECK(without[0].time_at_knee == 0);  // without the system on 8, 64 takes as long
}

TEST_CASE("the answer's points are those of predict, and its strong and weak series hold a batch") {
  const OpenDescription run = run_of("bert", "dgx-h100");
  const ScaleAnswer answer = scale_answer(predicted(run, 64), sizes({8, 64, 512}));
  const Calibration& calibration = shipped().calibration();
  const RunDescription chosen = choose_run(run, 64, calibration);
  const RunBreakdown expected = benchmark_run(chosen, calibration).expected();
  REQUIRE(answer.main);
  REQUIRE(answer.main->points.size() == 3);
  const ScaledPoint& point = answer.main->points[1];
  CHECK_THAT(point.time().base(), WithinRel(expected.total().time.base(), 1e-9));
  CHECK(point.step.total == expected.step.total);
  CHECK_THAT(answer.times[1].minutes * 60, WithinRel(expected.total().time.base(), 1e-9));
  const StepTimes& step = point.step;
  CHECK_THAT((step.computation() + step.exposed().time + step.waiting()).base(),
             WithinRel(step.total.base(), 1e-12));
  REQUIRE((answer.strong && answer.weak));
  for (const ScaledPoint& each : answer.strong->points)
    CHECK(each.batch == answer.strong->points.front().batch);
  for (const ScaledPoint& each : answer.weak->points)
    CHECK_THAT(each.batch / each.accelerators,
               WithinRel(answer.weak->points.front().batch / 8, 1e-12));
  CHECK(answer.limits[0].least_batch_size == static_cast<int>(answer.strong->points.front().batch));
}

TEST_CASE("a step of a workload's model keeps its passes at any batch") {
  OpenDescription run = run_of("llama31_8b", "dgx-b200");
  const ScaleSubject subject = predicted(run, 16);
  run.global_batch = 64;
  const RunDescription chosen = choose_run(run, 16, shipped().calibration());
  REQUIRE(chosen.plan.gradient_accumulation > 1);
  const RunBreakdown expected = benchmark_run(chosen, shipped().calibration()).expected();
  const auto step = subject.step(16, 64);
  REQUIRE(step);
  CHECK_THAT(step->total.base(), WithinRel(expected.step.total.base(), 1e-9));
}

TEST_CASE("at N_crit communication takes as long as computation, one node before it does not") {
  const ScaleSubject subject = predicted(run_of("stable_diffusion", "hgx-h100-25gbe"), 8);
  ScaleRequest request = sizes({8, 16, 32});
  request.replica_batch = 4;
  const ScaleAnswer answer = scale_answer(subject, request);
  REQUIRE(answer.limits[1].critical_size);
  const int critical = *answer.limits[1].critical_size;
  const auto at = subject.step(critical, 4.0 * critical);
  const auto before = subject.step(critical - 8, 4.0 * (critical - 8));
  REQUIRE((at && before));
  CHECK(at->communication >= at->computation());
  CHECK(before->communication < before->computation());
}

TEST_CASE("a simulated job takes a plan that fits, and says where a stated one does not") {
  StatedPlan plan;
  plan.name = "asked for";
  plan.split.sharded = Sharded::Parameters;
  plan.stated = {"sharded"};
  const StatedRun run = one_step("llama3-8b", plan);
  const ScaleSubject subject = simulated(run, "dgx-h100");
  const ScaledPoint point = subject.strong(8, 64);
  CHECK(point.batch == 64);
  CHECK(point.memory.value() <= 1);
  CHECK(point.estimate->plan.sharded == Sharded::Parameters);

  StatedPlan whole;
  whole.is_whole = true;
  const StatedRun large = one_step("llama3-70b", whole);
  const ScaleSubject too_large = simulated(large, "dgx-h100");
  const std::string why = refusal([&] { too_large.strong(8, 8); });
  CHECK_THAT(why, ContainsText(" GB of memory and has 85.5"));
  CHECK_THROWS_AS(too_large.strong(8, 8), AnswerOfNo);
}

TEST_CASE("a search over sizes takes the passes that the plan's micro-batch leaves") {
  StatedPlan plan;
  plan.split.sharded = Sharded::Parameters;
  plan.micro_batch = 4;
  plan.stated = {"sharded", "micro_batch"};
  const StatedRun run = one_step("llama3-8b", plan);
  const ScaleSubject subject = simulated(run, "dgx-h100");
  const ScaledPoint point = subject.strong(8, 64);
  REQUIRE(point.estimate->plan.micro_batch == 4);
  const auto step = subject.step(8, 64);
  REQUIRE(step);
  CHECK_THAT(step->total / point.step.total, WithinRel(1.0, 0.05));
}

TEST_CASE("a larger batch takes the samples that reach the same loss") {
  StatedRun run = one_step("llama3-8b", {}, 512);
  run.is_one_step = false;
  run.phases[0].stretches[0].samples = 1e8;
  run.critical_batch = Amount{1024, Counted::Samples};
  const ScaleSubject subject = simulated(run, "dgx-h100", {64});
  const ScaledPoint own = subject.strong(64, 512);
  const ScaledPoint larger = subject.strong(64, 2048);
  CHECK_THAT(own.run->samples, WithinRel(1e8, 1e-12));
  CHECK_THAT(larger.run->samples, WithinRel(2e8, 1e-12));  // (1 + 2) / (1 + 1/2)
  CHECK_THAT(own.time().base(), WithinRel(own.estimate->expected.seconds, 1e-9));
  // The growth of accelerator-time due to extra samples is separate from that due to the machine.
  const auto causes = causes_of_growth(own, larger);
  REQUIRE_FALSE(causes.empty());
  CHECK(causes.front().name == "more samples to the target");
}

TEST_CASE("the batch that ends soonest is one that its samples do not make slower") {
  StatedRun run = one_step("llama3-8b", {}, 512);
  run.is_one_step = false;
  run.phases[0].stretches[0].samples = 1e8;
  run.critical_batch = Amount{1024, Counted::Samples};
  const ScaleSubject subject = simulated(run, "dgx-h100", {64, 1024});
  CHECK(subject.soonest(64).batch == 512);
  const ScaledPoint wide = subject.soonest(1024);
  for (const double factor : {0.5, 2.0})
    if (wide.batch * factor >= 512)
      CHECK(subject.strong(1024, wide.batch * factor).time() >= wide.time());
  // Weak scaling to 32 times the batch needs 11 times the samples (33/3), so it is hardly faster.
  const ScaledPoint absurd = subject.strong(1024, 32 * 1024);
  CHECK(absurd.time() > wide.time());
  CHECK(absurd.seconds_per_sample() < wide.seconds_per_sample());
}

TEST_CASE("a batch that nobody stated is the one that predict chooses") {
  StatedRun run = one_step("llama3-8b", {}, 256);
  run.is_one_step = false;
  run.has_default_batch = true;
  run.phases[0].stretches[0].samples = 200e9 / 8192;
  const ScaleSubject subject = simulated(run, "dgx-h100", {96, 120});
  for (const int accelerators : {96, 120}) {
    const RunPoint predicted = run_point(request_on(run, "dgx-h100"), accelerators);
    const ScaledPoint scaled = subject.soonest(accelerators);
    CHECK(scaled.batch == predicted.estimate->plan.global_batch());
    CHECK_THAT(scaled.time().base(), WithinRel(predicted.estimate->expected.seconds, 1e-9));
  }
  CHECK(subject.soonest(120).batch == 240);  // two samples each; 256 would leave 16 in a pipeline
}

TEST_CASE("a size that does not fit is no base of a speedup") {
  const ScaleAnswer answer =
      scale_answer(predicted(run_of("gpt3", "dgx-h100"), 512), sizes({32, 512}));
  REQUIRE(answer.main->refused.size() == 1);
  CHECK(answer.main->refused.front().first == 32);
  CHECK(answer.main->refused.front().second ==
        "an accelerator needs 130.2 GB of memory and has 85.5");
  CHECK(answer.times.front().accelerators == 512);
}

TEST_CASE("where no size fits, all are answered as if they had room") {
  const ScaleAnswer answer =
      scale_answer(predicted(run_of("deepseekv3_671b", "dgx-h100"), 512), sizes({256, 512}));
  CHECK(answer.main->refused.empty());
  REQUIRE(answer.times.size() == 2);
  for (const ScaledPoint& point : answer.main->points) CHECK_FALSE(point.fits());
}

TEST_CASE("a job without a known target needs a batch") {
  const StatedRun run = one_step("resnet-50", {});
  const ScaleSubject subject = simulated(run, "dgx-h100");
  CHECK(refusal([&] {
          scale_answer(subject, sizes({8, 16}));
        }) == "--batch: is needed, or --replica-batch, and only one of them");
  ScaleRequest request = sizes({8, 16, 32, 64});
  request.batch = 32;
  const ScaleAnswer answer = scale_answer(subject, request);
  CHECK(answer.main->points.size() == 3);
  REQUIRE(answer.main->refused.size() == 1);
  CHECK(answer.main->refused.front().first == 64);
  CHECK(answer.time_name == "time of a million samples");
}
