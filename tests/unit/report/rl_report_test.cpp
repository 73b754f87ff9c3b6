#include "sim/report/rl_report.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "sim/answers/sensitivity_answer.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/sensitivity_report.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// A step of 2048 responses on 16 accelerators.
RlRequest step_of(RlJob job) {
  Library library = Library::load(configs);
  job.response_tokens = 1060;
  job.longest_tokens = 4096;
  RlRequest request;
  request.rl = job;
  request.model = find_model(configs, "llama3-8b");
  request.cluster = library.cluster("dgx-h100");
  request.profile = find_kernel_profile(configs, "unknown");
  request.sizes = {16};
  return request;
}

std::string screen_of(const RlJob& job) {
  const RlRequest request = step_of(job);
  return rl_text(request, rl_answer(request)).screen;
}

}  // namespace

TEST_CASE("a division that is stated is told one of staler responses, unless their age is stated") {
  RlJob job{.prompts = 64, .generations = 32, .updates = 4, .generators = 8};
  const std::string text = screen_of(job);
  INFO(text);
  CHECK_THAT(text, ContainsText("on policy; 8 generate, then 8 train\n"));
  CHECK_THAT(text, ContainsText("\n              --steps-off 1 --generators 8: "));
  job.steps_off = 0;
  CHECK_THAT(screen_of(job), !ContainsText("--steps-off 1 --generators"));
}

TEST_CASE("what is stated of an RL step is not assumed") {
  RlJob job{.prompts = 8, .generations = 4};
  const std::string assumed = screen_of(job);
  for (const char* option : {"(--length-spread)", "(--prompt-length)", "(--max-sequences)"})
    CHECK_THAT(assumed, ContainsText(option));
  job.stated_prompt_tokens = 120;
  job.stated_spread = 0.6;
  job.stated_sequences = 256;
  const std::string stated = screen_of(job);
  for (const char* option : {"(--length-spread)", "(--prompt-length)", "(--max-sequences)"})
    CHECK_THAT(stated, !ContainsText(option));
  CHECK_THAT(stated, ContainsText("response lengths that spread log-normally"));
  job.stated_spread = 0;
  CHECK_THAT(screen_of(job), !ContainsText("spread log-normally"));
}

TEST_CASE("one response is one response") {
  const std::string text = screen_of({.prompts = 1, .generations = 1});
  INFO(text);
  CHECK_THAT(text, ContainsText("rollout       1 response of 1060 tokens, the longest 1060, to "));
  CHECK_THAT(text, ContainsText("1 update of 1 response: "));
}

TEST_CASE(
    "a step on policy whose sides are apart limits both in turn, and says what engines need") {
  RlRequest request = step_of({.prompts = 64, .generations = 32, .generators = 1});
  request.sizes = {15};
  const std::string text = rl_text(request, rl_answer(request)).screen;
  INFO(text);
  CHECK_THAT(text, ContainsText("on policy; 1 generates, then 14 train\n"));
  CHECK_THAT(text,
             ContainsText("\nlimit         each side waits for the other: the rollout is 89"));
  CHECK_THAT(text, ContainsText("if every engine stayed full, it would take 4."));
}

TEST_CASE("sides that are apart are told to share the accelerators where that is clearly shorter") {
  RlJob job{.prompts = 64, .generations = 32, .generators = 8};
  const std::string text = screen_of(job);
  INFO(text);
  CHECK_THAT(
      text, ContainsText("\ntry           no --generators, so that all 16 generate, then train: "));
  CHECK_THAT(screen_of({.prompts = 64, .generations = 32}), !ContainsText("so that all"));
  const RlRequest request = step_of(job);
  const RlPoint point = rl_point(request, 16);
  REQUIRE(point.shared);
  CHECK(1.05 * point.shared->step.period() <= point.split->step.period());
  CHECK(point.shared->step.placement.is_colocated);
}

TEST_CASE("accelerators that engines leave idle are counted") {
  RlRequest request = step_of({.prompts = 8, .generations = 4, .engine_ranks = 2});
  request.sizes = {15};
  const std::string text = rl_text(request, rl_answer(request)).screen;
  INFO(text);
  CHECK_THAT(text, ContainsText("on policy; 14 of 15 generate, then all train"));
  CHECK_THAT(text, ContainsText("7 engines of 2, which leave 1 accelerator idle"));
  request.sizes = {15, 16};
  CHECK_THAT(
      rl_text(request, rl_answer(request)).screen,
      ContainsText("\nidle          N = 15: 7 engines of 2, which leave 1 accelerator idle\n"));
  CHECK_THAT(screen_of({.prompts = 8, .generations = 4}), !ContainsText("idle"));
}

TEST_CASE("training that does not fit is said in the first line, and marked in a table") {
  RlRequest request = step_of({.prompts = 64, .generations = 32});
  request.sizes = {1};
  const std::string one = rl_text(request, rl_answer(request)).screen;
  INFO(one);
  CHECK(
      one.starts_with("llama3-8b on 1 x H100 SXM (dgx-h100), GRPO: DOES NOT FIT, 147 GB of 86 "
                      "(what would: below); if it did: "));
  CHECK_THAT(one, ContainsText("\nwould fit     "));
  CHECK_THAT(one, ContainsText("on policy; it generates, then trains"));
  request.sizes = {1, 16};
  for (const std::optional<double> steps : {std::optional<double>{}, std::optional<double>{10}}) {
    request.rl.steps = steps;
    const std::string table = rl_text(request, rl_answer(request)).screen;
    INFO(table);
    CHECK_THAT(table, ContainsText("\n1! "));
    CHECK_THAT(table, !ContainsText("16!"));
    CHECK_THAT(table,
               ContainsText("\n!: TRAINING DOES NOT FIT the memory of these accelerators\n"));
  }
  CHECK_THAT(screen_of({.prompts = 64, .generations = 32}), !ContainsText("FIT"));
}

TEST_CASE("sizes of RL that have no answer are left out with the reason") {
  RlRequest request = step_of({.prompts = 8, .generations = 4, .engine_ranks = 8});
  request.sizes = {4, 8};
  CHECK_THAT(rl_text(request, rl_answer(request)).screen,
             ContainsText("\nleft out      N = 4: an engine of 8 accelerators does not fit 4"));
}

TEST_CASE("engines of a mixture take the split of attention that gives the shorter step") {
  RlRequest request = step_of({.prompts = 64, .generations = 32});
  request.model = find_model(configs, "qwen3-30b-a3b");
  const RlPoint chosen = rl_point(request, 16);
  std::vector<Seconds> periods;
  for (const auto& [name, attention] : engine_attentions) {
    request.rl.engine_attention = attention;
    const RlPoint stated = rl_point(request, 16);
    CHECK(stated.split->engine.attention == attention);
    periods.push_back(stated.split->step.period());
  }
  CHECK(chosen.split->step.period() == std::ranges::min(periods));
  CHECK(periods.front() != periods.back());
  const std::string text = rl_text(request, rl_answer(request)).screen;
  CHECK_THAT(text, ContainsText(" with data-parallel attention; "));
  CHECK_THAT(text, ContainsText("256 sequences at once on each rank"));
}

TEST_CASE("the time of the transfer of weights is assumed, whatever the network") {
  CHECK_THAT(screen_of({.prompts = 8, .generations = 4}), ContainsText("on any network"));
}

TEST_CASE("what is substituted at any size of RL is told, and what is assumed at any of them") {
  RlRequest request = step_of({.prompts = 64, .generations = 32});
  request.rl.stated_engine_weights = Precision::Fp4;
  request.rl.steps = 400;
  request.plan.micro_batch = 7;
  request.sizes = {8, 16};
  const AnswerText text = rl_text(request, rl_answer(request));
  CHECK_THAT(text.screen, ContainsText("H100 SXM has no fp4: engines keep their weights in fp4"));
  for (const char* samples : {"256", "128"})  // of 2048 on 8 and on 16 replicas
    CHECK_THAT(text.screen, ContainsText(fmt::format("micro-batches of 7 do not divide the {} "
                                                     "samples of a replica",
                                                     samples)));
  // One node has no network between nodes.
  CHECK_THAT(text.details, ContainsText("power.switch_port"));
}

TEST_CASE("a division that does not fit is not advised") {
  RlRequest request = step_of({.prompts = 64, .generations = 32});
  request.plan.micro_batch = 4096;
  const RlPoint point = rl_point(request, 16);
  REQUIRE_FALSE(point.fits);
  CHECK_FALSE(point.better);
}

TEST_CASE("options of RL that are stated are not the next ones to try") {
  const auto next_of = [](const RlJob& job) {
    const std::string text = screen_of(job);
    return text.substr(text.find("\nnext "));
  };
  RlJob job{.prompts = 8, .generations = 4};
  for (const char* option : {"--steps-off 1", "--generators G", "--engine-tp R", "--rl-steps S"})
    CHECK_THAT(next_of(job), ContainsText(option));
  job.steps_off = 1;
  job.generators = 8;
  job.engine_ranks = 1;
  job.steps = 100;
  CHECK(next_of(job) == "\nnext          --price P, --details\n");
}

TEST_CASE("a step of RL has one interval, on the screen and in its figures") {
  const RlRequest request = step_of({.prompts = 64, .generations = 32});
  const RlPoint point = rl_point(request, 16);
  const RunEstimate& run = *point.estimate;
  const Interval seconds = run.interval(figure_of(&RunFigures::step_seconds));
  const Interval speed = run.interval(figure_of(&RunFigures::tokens_per_second));
  CHECK(point.seconds().low == seconds.low);
  CHECK(point.seconds().high == seconds.high);
  CHECK(point.tokens_per_second_each(request) == Approx(run.expected.tokens_per_second / 16));
  const std::string text = rl_text(request, {{point}}).screen;
  INFO(text);
  CHECK_THAT(text, ContainsText(fmt::format(" {} to {} ", short_figure(speed.low / 16),
                                            short_figure(speed.high / 16))));
}

TEST_CASE("no measurement is recommended where none would narrow the range of a step of RL") {
  const RlRequest request = step_of({.prompts = 64, .generations = 32});
  const Sensitivity found = sensitivity_of(*rl_point(request, 16).estimate, request.profile);
  CHECK(found.deviation >= rl_step_deviation);
  CHECK_THAT(sensitivity_text(found), ContainsText("; no measurement would narrow the range\n"));
  CHECK(uncertainties_of(*rl_point(request, 16).estimate, request.profile).next.empty());
}
