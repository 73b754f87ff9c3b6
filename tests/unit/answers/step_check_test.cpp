#include <algorithm>
#include <cmath>

#include "sim/answers/step_check_answer.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/report/step_check_report.hpp"
#include "sim/simulation/stack_defaults.hpp"
#include "sim/simulation/stack_uncertainty.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// 128 samples of Llama 3 70B on 64 H100 with NeMo, whose measured step is `times` the predicted
/// one.
StepCheckQuestion checked_question(double times) {
  Library library = Library::load(configs);
  const KernelProfile stack = find_kernel_profile(configs, "nemo");
  const Model model = as_run_by(stack.framework_defaults, find_model(configs, "llama3-70b", {}));
  Plan plan = make_plan(Plan{.tensor_parallel_size = 4,
                             .pipeline_parallel_size = 4,
                             .gradient_accumulation = 32,
                             .sequence_parallel = true,
                             .sharded = Sharded::Optimizer},
                        64, 128);
  plan = as_run_by(stack.framework_defaults, plan, [](std::string_view) { return false; });
  StepCheckQuestion question{
      .ran = {.model = model, .plan = plan, .cluster = library.cluster("dgx-h100"), .measured = {}},
      .stack = stack,
      .steps = 20};
  const Seconds typical = simulate_step(model, plan, question.ran.cluster, stack).times.total;
  question.ran.measured = times * typical;
  return question;
}

const FittingCause* cause_of(const std::vector<FittingCause>& all, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const FittingCause& each) {
    return each.cause != nullptr && each.cause->name == name;
  });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("a step as predicted is what similar published jobs reach") {
  const StepCheckAnswer answer = step_check(checked_question(1), configs);
  CHECK(answer.verdict == StepVerdict::Normal);
  CHECK(answer.causes.empty());
  CHECK(answer.similar.steps.size() >= 6);
  CHECK(answer.similar.likeness.starts_with("of nemo on H100 SXM"));
  REQUIRE(answer.similar.nearest);
  CHECK(answer.similar.nearest->stack == "nemo");
  CHECK_THAT(answer.utilisation, WithinRel(answer.predicted_utilisation, 1e-9));
  CHECK(answer.longest_typical() > *answer.request.ran.measured);
  CHECK(step_check_records(answer).rows.size() == 1);
}

TEST_CASE("at the nearest job's batch a step takes whole micro-batches") {
  const StepCheckAnswer answer = step_check(checked_question(1), configs);
  REQUIRE(answer.utilisation_at_its_batch);
  // Micro-batches of a sample on four stages would leave three of four accelerators waiting.
  CHECK(*answer.utilisation_at_its_batch > 0.8 * answer.predicted_utilisation);
}

TEST_CASE("published steps reach what is predicted of them, in nine of ten to a quarter") {
  const StepCheckAnswer answer = step_check(checked_question(1), configs);
  const Interval ratios = answer.similar.ratios();
  CHECK(ratios.low > 0.8);
  CHECK(ratios.high < 1.25);
  CHECK(answer.similar.share_faster_than(10) == 1);
  CHECK(answer.similar.share_faster_than(0.1) == 0);
  const auto [least, most] = std::minmax_element(
      answer.similar.steps.begin(), answer.similar.steps.end(),
      [](const auto& a, const auto& b) { return a.accelerators < b.accelerators; });
  CHECK_THAT(
      answer.similar.likeness,
      ContainsText(fmt::format(" on {} to {} of them", least->accelerators, most->accelerators)));
}

TEST_CASE(
    "a step that is longer than similar jobs' has causes, each by what it makes of the step") {
  const StepCheckAnswer answer = step_check(checked_question(1.3), configs);
  CHECK(answer.verdict == StepVerdict::Slow);
  CHECK(answer.share_faster == 1);
  REQUIRE_FALSE(answer.causes.empty());
  double sum = 0;
  for (const FittingCause& each : answer.causes) sum += each.probability;
  CHECK(sum <= 1 + 1e-9);
  const FittingCause* slow = cause_of(answer.causes, "slow node or clocks");
  REQUIRE(slow != nullptr);
  CHECK_THAT(slow->factor, WithinRel(1.3, 0.01));
  CHECK(answer.reported_apart_by_nothing().size() > 1);
  const Records records = step_check_records(answer);
  const auto tells = std::find(records.columns.begin(), records.columns.end(), "tells");
  REQUIRE(tells != records.columns.end());
  for (std::size_t i = 0; i < answer.causes.size(); ++i) {
    const Value& cell =
        records.rows.at(i)[static_cast<std::size_t>(tells - records.columns.begin())];
    const auto* words = std::get_if<std::string>(&cell);
    CHECK((words != nullptr) == (answer.causes[i].cause != nullptr));
  }
  const std::string text = step_check_text(answer).screen;
  CHECK_THAT(text.substr(0, text.find('\n')), ContainsText("): SLOW, "));
  CHECK_THAT(text, ContainsText("\nundecided     the time of a step alone does not tell apart "));
  CHECK_THAT(text, ContainsText("\ntest next     "));
}

TEST_CASE("the range that is called normal is the prediction's and that of similar jobs together") {
  StepCheckAnswer answer = step_check(checked_question(1), configs);
  answer.predicted.times.total = Seconds{10};
  answer.predicted.seconds = {5, 30};
  const std::string text = step_check_text(answer).screen;
  CHECK_THAT(text, ContainsText(" a step; normal is 5.00 to 30.0 s\n"));
  CHECK_THAT(text, ContainsText("\nnormal        5.00 to 30.0 s: where the prediction's range and "
                                "that of similar jobs reach\n"));
}

TEST_CASE("what is stated of a plan is no cause") {
  StepCheckQuestion question = checked_question(1.3);
  CHECK(cause_of(step_check(question, configs).causes, "full recomputation") != nullptr);
  question.stated = {"recompute"};
  CHECK(cause_of(step_check(question, configs).causes, "full recomputation") == nullptr);
}

TEST_CASE("the cause that made a step longer is among those that fit") {
  const StepCheckQuestion question = checked_question(1);
  const SuspectJob healthy{question.ran, question.stack};
  const double typical = closed_step(healthy.step, healthy.stack).base();
  int tried = 0;
  for (const SlowStepCause& cause : slow_step_causes()) {
    SuspectJob faulty = healthy;
    if (!cause.change(faulty, 0.8)) continue;
    const double times = closed_step(faulty.step, faulty.stack).base() / typical;
    constexpr double deviation = 0.05;
    if (std::log(times) < 3 * deviation) continue;  // such a fault is too small to detect
    const auto found = fitting_causes(healthy, {.factor = times, .deviation = deviation}, {});
    INFO(cause.name << " x " << times);
    const FittingCause* own = cause_of(found, cause.name);
    // These causes need more memory than the job has, so they cannot have been its cause.
    const bool cannot_run = cause.name == "attention not fused" || cause.name == "wider products";
    if (!cannot_run) REQUIRE(own != nullptr);
    if (own != nullptr) CHECK_THAT(own->factor, WithinRel(times, 0.02));
    ++tried;
  }
  CHECK(tried >= 4);
}

TEST_CASE("pipelines do not shard parameters by mistake") {
  const StepCheckQuestion question = checked_question(1);
  const auto all = slow_step_causes();
  const auto found = std::ranges::find(all, "parameters sharded", &SlowStepCause::name);
  REQUIRE(found != all.end());
  SuspectJob job{question.ran, question.stack};
  job.step.plan.sharded = Sharded::Optimizer;
  job.step.plan.pipeline_parallel_size = 2;
  CHECK_FALSE(found->change(job, 1));
  job.step.plan.pipeline_parallel_size = 1;
  CHECK(found->change(job, 1));
}

TEST_CASE("what came later is hardly a flag, which is there from the start") {
  StepCheckQuestion question = checked_question(1.3);
  const auto flags = [&] {
    double share = 0;
    for (const FittingCause& each : step_check(question, configs).causes)
      if (each.cause != nullptr && each.cause->group == SlowStepGroup::Flag)
        share += each.probability;
    return share;
  };
  const double before = flags();
  question.own_drift = 0.3;
  question.drift_cause = "the slowdown was sudden";
  CHECK(flags() < 0.2 * before);
  const auto notes = step_check(question, configs).notes;
  CHECK(std::find(
            notes.begin(), notes.end(),
            "the newest steps take 30 % longer than the log's first: the slowdown was sudden") !=
        notes.end());
}

TEST_CASE("collectives that were measured tell slow links from what else is slow") {
  StepCheckQuestion question = checked_question(1.3);
  const auto share = [&] {
    const auto causes = step_check(question, configs).causes;
    const FittingCause* links = cause_of(causes, "scale-up links");
    return links == nullptr ? 0 : links->probability;
  };
  const double unknown = share();
  CHECK(unknown > 0);
  question.links.scale_up = 0.3;
  CHECK(share() > 2 * unknown);
  const auto causes = step_check(question, configs).causes;
  CHECK(cause_of(causes, "scale-up links")->amount == "at 30 % of its bandwidth");
  question.links.scale_up = 1;
  CHECK(share() == 0);
}

TEST_CASE("links that were measured to be a little slow are not blamed for a long step") {
  StepCheckQuestion question = checked_question(2);
  question.links.scale_up = 0.9;
  CHECK(cause_of(step_check(question, configs).causes, "scale-up links") == nullptr);
  const auto notes = step_check(question, configs).notes;
  CHECK(std::ranges::find(notes,
                          "collectives inside nodes were measured: large messages reach 90 % of "
                          "the expected bandwidth") != notes.end());
}

TEST_CASE("every cause says what it is and what would settle it") {
  for (const SlowStepCause& cause : slow_step_causes()) {
    INFO(cause.name);
    CHECK_FALSE(cause.sentence.empty());
    CHECK_FALSE(cause.tells.empty());
  }
}

TEST_CASE("the plan shows no CUDA graphs on a chip that has none") {
  StepCheckAnswer answer = step_check(checked_question(1), configs);
  answer.predicted.plan.cuda_graphs = CudaGraphs::FullIteration;
  CHECK_THAT(step_check_text(answer).screen, ContainsText("full_iteration"));
  answer.predicted.cluster = Library::load(configs).cluster("tpu-v5p");
  CHECK_THAT(step_check_text(answer).screen, !ContainsText("full_iteration"));
}

TEST_CASE("a step beyond the peak, or of a plan beyond the memory, did not run so") {
  StepCheckQuestion question = checked_question(0.3);
  CHECK_THAT(refusal([&] { step_check(question, configs); }),
             ContainsText(" % of the peak (MFU): another model, batch, number of accelerators, "
                          "precision or unit of time was measured"));
  question.length_is_assumed = true;
  CHECK_THAT(refusal([&] { step_check(question, configs); }),
             ContainsText(" (MFU): samples of other than the assumed 8192 tokens "
                          "(--sequence-length), another model, batch, "));
  question = checked_question(1);
  question.ran.plan.sharded = Sharded::Nothing;
  question.ran.plan.tensor_parallel_size = 1;
  question.ran.plan.pipeline_parallel_size = 1;
  question.ran.plan.data_parallel_size = 64;
  question.ran.plan.gradient_accumulation = 2;
  question.ran.measured = Seconds{100};
  CHECK(refusal([&] { step_check(question, configs); }).find("cannot have run") !=
        std::string::npos);
}
