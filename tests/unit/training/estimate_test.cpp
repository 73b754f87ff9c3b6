#include <cmath>

#include "sim/timeline/forward_pass.hpp"
#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"
#include "tests/unit/kernel/toy_profile.hpp"
#include "tests/unit/simulation/toy_model.hpp"
#include "tests/unit/training/simulated_run.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

constexpr double hour = 3600;

JobPhase phase(double samples, int accelerators = 16, double sequence_length = 512) {
  Model model = toy_model();
  model.sequence_length = sequence_length;
  const Plan plan = make_plan(Plan{.gradient_accumulation = 2}, accelerators, 64);
  return {.step = simulate_step(model, plan, toy_machine(), toy_profile()), .samples = samples};
}

SimulatedRun job_toy_job(double samples) {
  return {.phases = {phase(samples)}, .expenses = {.price = 2.0}, .grid_intensity = 400};
}

SimulatedRun job_with_host_link() {
  SimulatedRun job = job_toy_job(64e9);
  job.phases[0].step.cluster.accelerator.host_link = {BytesPerSecond{50e9}, "datasheet"};
  return job;
}

}  // namespace

TEST_CASE("every figure of a job follows from the others") {
  const SimulatedRun job = job_toy_job(64e6);
  const SimulatedStep& step = job.phases[0].step;
  const RunEstimate estimate = test::estimate(job);
  const RunFigures& f = estimate.expected;
  const double seconds = step.times.total.base();
  CHECK_THAT(f.steps, WithinRel(1e6, 1e-12));
  CHECK_THAT(f.tokens, WithinRel(64e6 * 512, 1e-12));
  CHECK_THAT(f.step_seconds, WithinRel(seconds, 1e-12));
  CHECK_THAT(f.training_seconds, WithinRel(1e6 * seconds, 1e-12));
  CHECK_THAT(f.samples_per_second, WithinRel(64 / seconds, 1e-12));
  CHECK_THAT(f.tokens_per_second, WithinRel(512 * 64 / seconds, 1e-12));
  CHECK_THAT(f.tokens_per_second_each, WithinRel(512 * 64 / seconds / 16, 1e-12));
  CHECK_THAT(f.mfu, WithinRel(step.model_flops_utilisation(), 1e-12));
  CHECK_THAT(
      f.mfu_6n,
      WithinRel(6 * parameters(step.model) * f.tokens_per_second_each / step.peak().base(), 1e-12));
  CHECK_THAT(f.hfu, WithinRel(f.mfu, 1e-9));  // nothing is computed again
  CHECK_THAT(f.start_up_seconds, WithinRel(300, 1e-12));
  CHECK(f.evaluation_seconds == 0);
  CHECK(f.lost_seconds > 0);
  CHECK_THAT(f.seconds, WithinRel(f.training_seconds + 300 + f.lost_seconds, 1e-12));
  CHECK_THAT(f.days, WithinRel(f.seconds / (24 * hour), 1e-12));
  CHECK_THAT(f.goodput, WithinRel(f.training_seconds / f.seconds, 1e-12));
  CHECK_THAT(f.accelerator_hours, WithinRel(16 * f.seconds / hour, 1e-12));
  CHECK_THAT(f.usd, WithinRel(2 * f.accelerator_hours, 1e-12));
  CHECK_THAT(*estimate.expense.usd, WithinRel(f.usd, 1e-12));
  CHECK_THAT(f.kilowatt_hours, WithinRel(estimate.expense.energy.total().base() / 3.6e6, 1e-12));
  CHECK_THAT(f.co2_tonnes, WithinRel(0.4 * f.kilowatt_hours / 1000, 1e-12));
}

TEST_CASE("before its first step and while it waits for input a job draws idle power") {
  SimulatedRun job = job_toy_job(64e6);
  job.start_up = Seconds{};
  job.expenses.time_to_failure = Seconds(1e30);
  job.phases[0].step.cluster.accelerator.power = {Watts(500), "made up"};
  const auto kilowatt_hours = [&] { return estimate(job).expected.kilowatt_hours; };
  const double steps = kilowatt_hours();
  const SimulatedStep& step = job.phases[0].step;
  const Energy second =
      energy_of(machine_power(step.cluster, 16),
                {.computing = {}, .launching = {}, .communicating = {}, .idle = Seconds(1)});
  job.start_up = Seconds(1e4);
  CHECK_THAT(kilowatt_hours() - steps, WithinRel(1e4 * second.total().base() / 3.6e6, 1e-6));
  job.start_up = Seconds{};
  const double seconds = step.times.total.base();
  job.input_rate = 64 / (step.cluster.nodes_of(16) * 3 * seconds);  // waits for twice the step
  CHECK_THAT(kilowatt_hours() - steps,
             WithinRel(2e6 * seconds * second.total().base() / 3.6e6, 1e-6));
}

TEST_CASE("the interval of a figure is that of the steps") {
  const RunEstimate estimate = test::estimate(job_toy_job(64e6));
  const SimulatedStep& step = *estimate.simulated();
  const Interval training = estimate.interval(figure_of(&RunFigures::training_seconds));
  CHECK_THAT(training.low, WithinRel(1e6 * step.seconds.low, 1e-9));
  CHECK_THAT(training.high, WithinRel(1e6 * step.seconds.high, 1e-9));
  for (const RunFigure& figure : run_figures) {
    INFO(figure.name);
    const Interval interval = estimate.interval(figure);
    CHECK(interval.low <= estimate.expected.*figure.value * (1 + 1e-12));
    CHECK(interval.high >= estimate.expected.*figure.value * (1 - 1e-12));
  }
}

TEST_CASE("phases add up, and rates are means over the whole job") {
  const JobPhase short_samples = phase(32e6);
  const JobPhase long_samples = phase(16e6, 16, 1024);
  const RunFigures both =
      estimate(SimulatedRun{.phases = {short_samples, long_samples}, .expenses = {.price = 2.0}})
          .expected;
  const double time =
      0.5e6 * short_samples.step.times.total.base() + 0.25e6 * long_samples.step.times.total.base();
  CHECK_THAT(both.training_seconds, WithinRel(time, 1e-12));
  CHECK_THAT(both.tokens, WithinRel(32e6 * 512 + 16e6 * 1024, 1e-12));
  CHECK_THAT(both.step_seconds, WithinRel(time / 0.75e6, 1e-12));
}

TEST_CASE("evaluations are forward passes beside the training") {
  SimulatedRun job = job_toy_job(64e6);
  job.evaluation = {.every = Amount{6.4e6, Counted::Samples}, .takes = {64e3, Counted::Samples}};
  const RunFigures f = estimate(job).expected;
  const double passes = 10 * 64e3 / 64;  // in steps' batches
  // A forward pass is a third of a step's arithmetic and up to half of its kernels; gradients and
  // the optimizer have no part in it.
  const auto part = [&](StepPart of) {
    return job.phases[0].step.times.parts[static_cast<std::size_t>(of)].base();
  };
  const double computation = part(StepPart::Compute) + part(StepPart::Launch);
  CHECK(f.evaluation_seconds > passes * computation / 3);
  CHECK(f.evaluation_seconds < passes * computation / 2);
}

TEST_CASE("of experts a token goes through those that are chosen for it") {
  const Model dense = toy_model();
  CHECK(active_parameters(dense) == parameters(dense));
  const Model experts = toy_mixture();
  const auto& layers = std::get<TransformerLayers>(experts.parts[1].shape);
  // Two matrices of hidden x feed-forward, with their biases where there are some.
  const double matrices = 2.0 * layers.hidden * layers.feed_forward;
  const double idle = (parameters(experts) - active_parameters(experts)) /
                      ((layers.experts - layers.experts_per_token) * 1.0 * layers.count);
  CHECK_THAT(idle, WithinRel(matrices, 0.01));
}

TEST_CASE("evaluations in tokens and steps are counted by the samples of their phase") {
  SimulatedRun job{.phases = {phase(32e6), phase(16e6, 16, 1024)}};
  job.evaluation = {.every = Amount{1e5, Counted::Steps}, .takes = {512 * 1024, Counted::Tokens}};
  const double whole = estimate(job).expected.evaluation_seconds;
  // 5 evaluations of 1024 samples of 512 tokens, then 2.5 of 512 samples twice as long.
  const double evaluations[] = {5, 2.5}, samples[] = {1024, 512};
  double expected = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const Plan& plan = job.phases[i].step.plan;
    const double passes = samples[i] / (plan.micro_batch * plan.data_parallel_size);
    expected += evaluations[i] * forward_pass(job.phases[i].step.work).of(passes).base();
  }
  CHECK_THAT(whole, WithinRel(expected, 1e-12));
}

TEST_CASE("a step waits for nodes that read slower than it computes") {
  SimulatedRun job = job_toy_job(64e6);
  const double step = job.phases[0].step.times.total.base();
  const int nodes = job.phases[0].step.cluster.nodes_of(16);
  job.input_rate = 64 / (nodes * 1.5 * step);  // reading takes half as long again
  const RunFigures f = estimate(job).expected;
  CHECK_THAT(f.input_seconds, WithinRel(0.5 * f.training_seconds, 1e-9));
  CHECK_THAT(f.seconds, WithinRel(1.5 * f.training_seconds + 300 + f.lost_seconds, 1e-12));
  job.input_rate = 64 / (nodes * 0.9 * step);
  CHECK(estimate(job).expected.input_seconds == 0);
}

TEST_CASE("accelerators that join are paid for from then on") {
  const JobPhase few = phase(32e6, 8);
  const JobPhase many = phase(32e6, 16);
  SimulatedRun job{.phases = {few, many}, .start_up = Seconds{}, .expenses = {.price = 2.0}};
  const RunFigures both = estimate(job).expected;
  const RunFigures first = estimate(SimulatedRun{.phases = {few}, .start_up = Seconds{}}).expected;
  const RunFigures then = estimate(SimulatedRun{.phases = {many}, .start_up = Seconds{}}).expected;
  CHECK_THAT(both.seconds, WithinRel(first.seconds + then.seconds, 1e-12));
  CHECK_THAT(both.accelerator_hours,
             WithinRel((8 * first.seconds + 16 * then.seconds) / hour, 1e-12));
  CHECK_THAT(both.usd, WithinRel(2 * both.accelerator_hours, 1e-12));
  CHECK_THAT(both.kilowatt_hours, WithinRel(first.kilowatt_hours + then.kilowatt_hours, 1e-12));
  const double accelerator_seconds = 8 * first.training_seconds + 16 * then.training_seconds;
  CHECK_THAT(both.tokens_per_second_each, WithinRel(both.tokens / accelerator_seconds, 1e-12));
}

TEST_CASE("the price of a batch is the mean over samples, and in doubt as its law is") {
  SimulatedRun job = job_toy_job(64e6);
  job.critical_batch = Amount{64, Counted::Samples};  // of a batch of 64: half
  job.phases.push_back(phase(64e6, 16, 1024));
  const RunEstimate half = estimate(job);
  CHECK_THAT(half.expected.batch_price, WithinRel(0.5, 1e-12));
  const Interval extra = half.interval(figure_of(&RunFigures::batch_price));
  CHECK_THAT(extra.low, WithinRel(0.25, 0.05));  // 64 / (64 + 3 x 64)
  CHECK_THAT(extra.high, WithinRel(0.75, 0.05));
  job.critical_batch = Amount{64 * 512, Counted::Tokens};  // 32 samples of the second phase
  CHECK_THAT(estimate(job).expected.batch_price, WithinRel((0.5 + 64.0 / 96) / 2, 1e-12));
}

TEST_CASE("phases of a run by themselves hold what the whole holds") {
  SimulatedRun job{.phases = {phase(32e6), phase(16e6), phase(8e6, 16, 1024)}};
  job.phases[1].part_of = 0;
  job.phases[2].part_of = 1;
  const std::vector<Run> parts = by_phase(job.run());
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].stretches.size() == 2);
  CHECK(parts[0].start_up.value == job.start_up.base());
  CHECK(parts[1].start_up.value == 0);
  const double whole = estimate(job).expected.training_seconds;
  CHECK_THAT(tofn::estimate(parts[0]).expected.training_seconds +
                 tofn::estimate(parts[1]).expected.training_seconds,
             WithinRel(whole, 1e-12));
  CHECK_THAT(mean_step(job.run().stretches).total.base() * 56e6 / 64, WithinRel(whole, 1e-12));
  Seconds sum;
  for (const Seconds part : mean_step(job.run().stretches).parts) sum += part;
  CHECK_THAT(sum.base(), WithinRel(mean_step(job.run().stretches).total.base(), 1e-9));
}

TEST_CASE("a job is no firmer than the steps of any of its phases") {
  SimulatedRun job = job_toy_job(64e6);
  job.phases.push_back(phase(1e6));
  for (JobPhase& each : job.phases) each.step.times.bases = uniform_bases(Basis::Measured);
  CHECK(test::estimate(job).step_basis == Basis::Measured);
  for (JobPhase& each : job.phases) {
    each.step.times.bases = uniform_bases(Basis::Extrapolated);
    CHECK(test::estimate(job).step_basis == Basis::Extrapolated);
    CHECK(test::estimate(job).basis >= Basis::Extrapolated);
    CHECK(mean_step(job.run().stretches).bases == uniform_bases(Basis::Extrapolated));
    each.step.times.bases = uniform_bases(Basis::Measured);
  }
}

TEST_CASE("a sample's arithmetic is the same however many ranks share it") {
  Model model = toy_model();
  std::get<TransformerLayers>(model.parts[1].shape).fused_attention = true;
  const auto work = [&](int tensor, int context, double micro_batch) {
    return sample_work(model, {.tensor_parallel_size = tensor,
                               .context_parallel_size = context,
                               .micro_batch = micro_batch,
                               .recompute = Recompute::Full});
  };
  const SampleWork alone = work(1, 1, 1);
  CHECK_THAT(alone.forward.base(), WithinRel(model_flops(model).base() / 3, 0.05));
  for (const auto& [tensor, context] : {std::pair(2, 1), {1, 2}, {4, 2}}) {
    INFO(tensor << ' ' << context);
    const SampleWork shared = work(tensor, context, 2);
    CHECK_THAT(shared.forward / alone.forward, WithinRel(1.0, 1e-12));
    CHECK_THAT(shared.recomputed / alone.recomputed, WithinRel(1.0, 1e-12));
    CHECK_THAT(shared.hardware / alone.hardware, WithinRel(1.0, 1e-12));
  }
}

TEST_CASE("a checkpoint takes what its bytes and the stated storage say") {
  SimulatedRun job = job_with_host_link();
  const SimulatedStep& step = job.phases[0].step;
  job.expenses.time_to_failure = Seconds{1e6};
  job.expenses.restart = Seconds{100};
  job.expenses.storage = {.all = BytesPerSecond{1e8}};
  const RunEstimate synchronous = test::estimate(job);
  REQUIRE(synchronous.expense.checkpoint);
  const CheckpointTimes& times = *synchronous.expense.checkpoint;
  const double bytes =
      trainable_parameters(step.model) * checkpoint_bytes(step.memory_profile.state, step.plan);
  CHECK_THAT(times.bytes.base(), WithinRel(bytes, 1e-12));
  CHECK_THAT(times.write.base(), WithinRel(bytes / 1e8, 1e-12));
  CHECK_THAT(times.of_rank.base(), WithinRel(bytes / 16, 1e-12));
  CHECK_THAT(synchronous.expense.interruptions.checkpoint.base(),
             WithinRel(times.blocks.base(), 1e-12));
  CHECK_THAT(synchronous.expense.interruptions.recovery.base(), WithinRel(bytes / 1e8, 1e-12));

  job.expenses.checkpoint = times.blocks;  // the same time, and nothing to read
  job.expenses.storage = {};
  CHECK(test::estimate(job).expected.lost_seconds < synchronous.expected.lost_seconds);
}

TEST_CASE("asynchronous checkpoints and faster storage lose less") {
  SimulatedRun job = job_with_host_link();
  job.expenses.time_to_failure = Seconds{1e6};
  const auto lost = [&](const CheckpointStorage& storage) {
    job.expenses.storage = storage;
    return test::estimate(job).expected.lost_seconds;
  };
  const BytesPerSecond slow{1e8};
  const double synchronous = lost({.all = slow});
  CHECK(lost({.all = slow, .mode = CheckpointMode::Async}) < synchronous);
  CHECK(lost({.all = 10 * slow}) < synchronous);
  CHECK(lost({.node = slow, .layout = CheckpointLayout::Gathered}) > lost({.node = slow}));
}
