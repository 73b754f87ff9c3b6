#include "sim/answers/disclosures.hpp"

#include <algorithm>
#include <set>
#include <string>

#include <fmt/format.h>

#include "sim/answers/published_answer.hpp"
#include "sim/answers/steps_answer.hpp"
#include "sim/expense/energy.hpp"
#include "sim/kernel/stack_figures.hpp"
#include "sim/model/model.hpp"
#include "sim/report/detection_report.hpp"
#include "sim/report/energy_report.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/published_report.hpp"
#include "sim/report/runs_report.hpp"
#include "sim/report/scorecard_report.hpp"
#include "sim/report/steps_report.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// The text on one line.
std::string unbroken(const std::string& text) {
  std::string words;
  for (const char c : text) {
    const char as_space = c == '\n' ? ' ' : c;
    if (as_space == ' ' && !words.empty() && words.back() == ' ') continue;
    words += as_space;
  }
  return words;
}

ScoredStep a_step(const char* stack) {
  return {.stack = stack,
          .trust = "A",
          .accelerators = 8,
          .measured = 1,
          .predicted = 1,
          .deviation = 0.1};
}

}  // namespace

TEST_CASE("a cell names what tells of its row alone") {
  CHECK(not_blind("steps", "left-out-model", {"composer"}) ==
        "spreads of stacks; hosts and routing");
  CHECK(not_blind("steps", "left-out-model", {"nemo"}) ==
        "spreads of stacks; hosts and routing; split of NeMo");
  CHECK(not_blind("steps", "unknown-stack", {"composer"}) ==
        "spreads of stacks; spread of families; hosts and routing");
  CHECK(not_blind("published", "standing", {"bert"}).find("stack") == std::string::npos);
  CHECK_THAT(not_blind("published", "standing", {"gpt3"}), ContainsText("release of the stack"));
  CHECK(not_blind("collectives", "split", {}).empty());
}

TEST_CASE("every disclosure stands in the text of its score and in the scorecard") {
  const std::string card = unbroken(scorecard_text({}).details);
  std::set<std::string> scores;
  for (const Disclosure& each : disclosures()) {
    INFO(each.name);
    CHECK(card.find(each.sentence) != std::string::npos);
    scores.emplace(each.score);
    const std::string own = unbroken(disclosed_text(each.score, each.protocol));
    CHECK(own.find(each.sentence) != std::string::npos);
  }
  CHECK(scores == std::set<std::string>{"collectives", "detection", "energy", "memory", "plans",
                                        "published", "rl", "runs", "steps"});
}

TEST_CASE("a disclosure prints the value that the program uses") {
  const auto stated = [](const std::string& words) {
    const auto all = disclosures();
    return std::any_of(all.begin(), all.end(), [&](const Disclosure& each) {
      return each.sentence.find(words) != std::string::npos;
    });
  };
  CHECK(stated(fmt::format("between families, {:g},", stack_figures[products_figure].family)));
  CHECK(stated(fmt::format("uncertainty of power, {:g},", default_power_uncertainty)));
  CHECK(stated(fmt::format("power of fans, {:g} of", default_fans)));
  CHECK(stated(fmt::format("{:g} x the mean", natural_imbalance)));
}

TEST_CASE("what a score led to choose is printed below it") {
  const auto has = [](const std::string& text, const std::string& words) {
    return unbroken(text).find(words) != std::string::npos;
  };
  std::vector<ScoredStep> steps{a_step("composer")};
  const auto text = [&] { return steps_text(steps, StepProtocol::LeftOutModel).details; };
  CHECK(has(text(), "in-sample the spreads of stacks' figures"));
  CHECK_FALSE(has(text(), "chosen row by row on these peaks"));
  steps[0].memory = ScoredMemory{.measured = Bytes{2e9}, .predicted = Bytes{1e9}};
  CHECK(has(text(), "chosen row by row on these peaks"));
  CHECK_FALSE(has(text(), "nothing is learnt"));
  CHECK(has(energy_text({}).details,
            "the default power of fans, 0.1 of what they cool, was set by this run"));
  CHECK(has(runs_text({}, {}).details, "as wide as these runs ask"));
  CHECK(has(published_text({}, "standing").details, "overheads of other vendors"));
  CHECK(has(detection_text({}, {}, {}).details, "95 % quantiles of these same healthy tables"));
}

TEST_CASE("rows that are not scored are named by their reason, but for those that calibrate") {
  const auto left_out = [](const char* benchmark, const char* organisation, const char* why) {
    ScoredRun run{};
    run.benchmark = benchmark;
    run.organisation = organisation;
    run.system = "system";
    run.skipped_because = why;
    return run;
  };
  const ScoredRun run = left_out("gpt3", "Google", "unknown precision 'int8'");
  const ScoredRun calibrates = left_out("bert", "Dell", "it calibrates");
  const AnswerText answer = published_text({run, run, calibrates}, "standing");
  const std::string& text = answer.details;
  CHECK_THAT(answer.screen, ContainsText("left out      2 x unknown precision 'int8'\n"));
  CHECK_THAT(text, ContainsText("left out: 2 x unknown precision 'int8':\n   gpt3 "
                                "Google/system, gpt3"));
  CHECK_THAT(text, ContainsText("left out: 1 x it calibrates\n"));
  CHECK_THAT(text, !ContainsText("Dell/system"));
}
