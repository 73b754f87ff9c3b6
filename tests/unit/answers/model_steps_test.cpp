#include <cmath>

#include "sim/answers/model_steps_answer.hpp"
#include "sim/answers/observed_step.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/simulation/measured_job.hpp"
#include "sim/simulation/stack_uncertainty.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const std::filesystem::path table = configs / "measured/steps.csv";

/// Llama 3.1 70B in bf16 by NVIDIA's NeMo on H100, as if the stack had no fitted figures.
struct Llama {
  Library library = Library::load(configs);
  ModelSteps steps{.name = "mine", .model = "llama3-70b", .cluster = "dgx-h100", .stack = "nemo"};
  OwnSubject subject = subject_of({}, steps, configs, library);

  std::vector<MeasuredStep> rows(const Plan& request = {}, std::string_view stated = {}) const {
    std::vector<std::string> left_out;
    const auto own = rows_of_table(
        table, subject, request, [&](std::string_view name) { return name == stated; }, configs,
        library, left_out);
    CHECK(left_out.size() >= 3);
    return own;
  }
};

/// Mean |predicted / measured - 1| of the rows on more than `above` accelerators.
double mean_error(const Llama& llama, const KernelProfile& stack,
                  const std::vector<MeasuredStep>& rows, int above) {
  double sum = 0;
  int count = 0;
  for (const MeasuredStep& row : rows) {
    if (row.plan->accelerators() <= above) continue;
    const StepCase step{.model = llama.subject.model,
                        .plan = *row.plan,
                        .cluster = llama.subject.cluster,
                        .measured = row.step};
    sum += std::abs(closed_step(step, stack) / row.step - 1);
    ++count;
  }
  REQUIRE(count > 0);
  return sum / count;
}

}  // namespace

TEST_CASE("rows of a table are those of the model, chip and stack; others are said") {
  const Llama llama;
  const std::vector<MeasuredStep> own = llama.rows();
  CHECK(own.size() > 3);
  for (const MeasuredStep& row : own) CHECK(row.plan->pipeline_parallel_size >= 1);
  CHECK_THAT(refusal([&] { llama.rows({.pipeline_parallel_size = 3}, "pp"); }),
             ContainsText("--pp: is not what the row says"));
  CHECK_THAT(refusal([&] { llama.rows({.micro_batch = 7}, "micro_batch"); }),
             ContainsText("--micro-batch: is not what the row says"));
  CHECK_THAT(refusal([&] { llama.rows({.gradient_accumulation = 7}, "grad_accum"); }),
             ContainsText("--grad-accum: is not what the row says"));
}

TEST_CASE("the smallest measured step of a model brings larger ones of an unknown stack nearer") {
  Llama llama;
  const std::vector<MeasuredStep> rows = llama.rows();
  llama.subject.stack = find_kernel_profile(configs, default_stack);
  const auto smallest = std::min_element(
      rows.begin(), rows.end(),
      [](const auto& a, const auto& b) { return a.plan->accelerators() < b.plan->accelerators(); });
  const int size = smallest->plan->accelerators();
  llama.steps.rows = {*smallest};
  const auto cases = cases_of(llama.steps, llama.subject);
  const KernelProfile after =
      sharpened_for(llama.subject.model, llama.subject.cluster.accelerator, llama.subject, cases);
  CHECK(mean_error(llama, after, rows, size) < mean_error(llama, llama.subject.stack, rows, size));
  // For another model only the figures move, not the model's factor.
  const Model other = find_model(configs, "llama3-8b");
  const KernelProfile of_other =
      sharpened_for(other, llama.subject.cluster.accelerator, llama.subject, cases);
  CHECK(of_other.model_factor == 1);
  CHECK(of_other.gemm_efficiency.value == after.gemm_efficiency.value);
  const auto left = [&](const KernelProfile& profile) {
    return uncertainty_on(profile, llama.subject.cluster.accelerator, llama.subject.model)
        .discrepancy.total();
  };
  CHECK(left(of_other) == left(llama.subject.stack));
  CHECK(left(after) < left(llama.subject.stack));
}

namespace {

SimulatedStep step_of_row(const Llama& llama, const MeasuredStep& row, const KernelProfile& by) {
  return simulate_step(llama.subject.model, *row.plan, llama.subject.cluster, by);
}

}  // namespace

TEST_CASE("a job whose step was measured often takes what was measured, as with --observed") {
  Llama llama;
  MeasuredStep row = llama.rows().front();
  row.step = row.step * 1.07;  // differs from the steps that fitted its stack
  row.steps = 300;
  row.spread = 0.008;
  llama.steps.rows = {row};
  const auto cases = cases_of(llama.steps, llama.subject);
  const KernelProfile by_steps =
      sharpened_for(llama.subject.model, llama.subject.cluster.accelerator, llama.subject, cases);
  const SimulatedStep seen = step_of_row(llama, row, by_steps);
  CHECK_THAT(seen.times.total / row.step, WithinRel(1.0, 0.001));
  const SimulatedStep observed =
      step_of_row(llama, row, with_observed(llama.subject.stack, cases.front()));
  CHECK_THAT(seen.times.total / observed.times.total, WithinRel(1.0, 0.001));
  CHECK_THAT(seen.seconds.high / observed.seconds.high, WithinRel(1.0, 0.01));
  // For another size only the shared part moves the step, by less than the measurement differs.
  MeasuredStep other = row;
  other.plan->gradient_accumulation *= 2;
  const double typical = step_of_row(llama, other, llama.subject.stack).times.total.base();
  const double moved = step_of_row(llama, other, by_steps).times.total.base() / typical;
  CHECK(moved > 1.001);
  CHECK(moved < row.step / step_of_row(llama, row, llama.subject.stack).times.total);
}

TEST_CASE("a rough measurement counts less, and two of one job count by their precision") {
  Llama llama;
  MeasuredStep row = llama.rows().front();
  const double typical = step_of_row(llama, row, llama.subject.stack).times.total.base();
  const auto factor_of = [&](std::vector<StepCase> seen) {
    KernelProfile plain = llama.subject.stack;  // as if no figure had been fitted
    const auto jobs = measured_jobs(seen, plain);
    REQUIRE(jobs.size() == 1);
    return jobs.front().factor;
  };
  const auto seen = [&](double factor, double error) {
    return StepCase{.model = llama.subject.model,
                    .plan = *row.plan,
                    .cluster = llama.subject.cluster,
                    .measured = Seconds{factor * typical},
                    .measured_error = error};
  };
  CHECK_THAT(factor_of({seen(1.1, 0)}), WithinRel(1.1, 1e-9));
  const Discrepancy left =
      uncertainty_on(llama.subject.stack, llama.subject.cluster.accelerator, llama.subject.model)
          .discrepancy;
  // A measurement as uncertain as the job itself moves the factor by half of the logarithm.
  CHECK_THAT(factor_of({seen(1.21, std::hypot(left.run, left.plan))}), WithinRel(1.1, 1e-9));
  // Two equally precise measurements give their geometric mean.
  CHECK_THAT(factor_of({seen(1.0, 0), seen(1.21, 0)}), WithinRel(1.1, 1e-9));
}

TEST_CASE("the error of a measured step is that of the median of its steps") {
  Llama llama;
  llama.steps.rows = {llama.rows().front()};
  llama.steps.rows[0].steps = 16;
  llama.steps.rows[0].spread = 0.08;
  // The error of a mean is 0.02, and that of a median is the square root of pi / 2 times that.
  CHECK_THAT(cases_of(llama.steps, llama.subject)[0].measured_error, WithinRel(0.025066, 1e-4));
}

TEST_CASE("what a log's rows rest on must be known") {
  Library library = Library::load(configs);
  const auto refused = [&](ModelSteps steps) {
    return refusal([&] { subject_of("my.yaml", steps, configs, library); });
  };
  CHECK_THAT(refused({.name = "m", .model = "llama3-8", .cluster = "dgx-h100", .stack = "nemo"}),
             ContainsText("my.yaml: model: unknown model 'llama3-8'"));
  CHECK_THAT(refused({.name = "m", .model = "llama3-8b", .cluster = "dgx", .stack = "nemo"}),
             ContainsText("my.yaml: cluster: unknown cluster 'dgx'"));
  CHECK_THAT(
      refused({.name = "m", .model = "llama3-8b", .cluster = "dgx-h100", .stack = "megatron"}),
      ContainsText("my.yaml: stack: the figures of megatron are fitted to no table of steps"));
}

TEST_CASE("a step that the model cannot have taken calibrates nothing") {
  Llama llama;
  const MeasuredStep row = llama.rows().front();
  const auto refused = [&](double factor) {
    llama.steps.rows = {row};
    llama.steps.rows.front().step *= factor;
    return refusal([&] { cases_of(llama.steps, llama.subject); });
  };
  CHECK(refused(1) == "accepted");
  CHECK(refused(1.5) == "accepted");
  // A model of a tenth of the size is too fast by as much, and 2 % of the peak is no such job
  // either.
  for (const double factor : {0.1, 0.3, 20.0})
    CHECK_THAT(refused(factor), ContainsText("another model, batch, plan"));
}

TEST_CASE("two measurements of one job that differ by more than a fifth are named") {
  const auto row = [](const char* source, double seconds) {
    return MeasuredStep{.source = source,
                        .accelerators = 64,
                        .global_batch = 1024,
                        .step = Seconds{seconds},
                        .plan = Plan{.tensor_parallel_size = 4}};
  };
  CHECK(contradictions({row("a.log", 15), row("b.log", 30)}) ==
        std::vector<std::string>{
            "WARNING: a.log and b.log are of one job, and take 15 s and 30 s a step, which "
            "differ by 100 %: predictions will lie between them; leave out the one that was "
            "disturbed"});
  CHECK(contradictions({row("a.log", 15), row("b.log", 17.9)}).empty());
  MeasuredStep other = row("b.log", 30);
  other.plan->recompute = Recompute::Full;
  CHECK(contradictions({row("a.log", 15), other}).empty());
  other = row("b.log", 30);
  other.global_batch = 2048;
  CHECK(contradictions({row("a.log", 15), other}).empty());
}
