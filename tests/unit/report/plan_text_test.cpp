#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "sim/config/library.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/report/plan_report.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Returns the text with one blank for every run of them.
std::string squeezed(const std::string& text) {
  std::string one;
  for (const char letter : text)
    if (letter != ' ' || one.empty() || one.back() != ' ') one += letter;
  return one;
}

}  // namespace

TEST_CASE("of what a runner-up loses by the three parts that grow most are told") {
  const Library library = Library::load(configs);
  StatedRun run{.name = "llama3-8b", .phases = {{.model = find_model(configs, "llama3-8b")}}};
  run.phases[0].stretches = {{1024, 2e12 / run.phases[0].model.sequence_length}};
  const RunSearch request{.runs = {run},
                          .offers = {{*library.find_cluster("dgx-h100"), {64, 128}, false}},
                          .profile = find_kernel_profile(configs, "unknown")};
  RunChoice choice = run_choice(request);
  REQUIRE(choice.runner_up);
  choice.lost_by = {{.name = "accelerator-time",
                     .ratio = 1.1,
                     .parts = {{StepPart::Compute, 0.04},
                               {StepPart::Launch, 0.03},
                               {StepPart::Tensor, 0.02},
                               {StepPart::Data, 0.01}}}};
  std::string text = plan_text(request, choice, "tofn predict").details;
  std::replace(text.begin(), text.end(), '\n', ' ');
  const auto begin = text.find("accelerator-time +10.0 %");
  REQUIRE(begin != std::string::npos);
  const std::string reported = text.substr(begin, text.find(')', begin) - begin);
  CHECK(reported.find("+2.0 %") != std::string::npos);
  CHECK(reported.find("+1.0 %") == std::string::npos);
}

TEST_CASE("a few rows of a plan keep those off the front beside some of the front") {
  const Library library = Library::load(configs);
  StatedRun run{.name = "llama3-8b", .phases = {{.model = find_model(configs, "llama3-8b")}}};
  run.phases[0].stretches = {{1024, 2e12 / run.phases[0].model.sequence_length}};
  const RunSearch request{
      .runs = {run},
      .offers = {{*library.find_cluster("dgx-h100"), {8, 16, 32, 64, 128, 256, 512, 1024}, false},
                 {*library.find_cluster("dgx-a100"), {32}, false}},
      .profile = find_kernel_profile(configs, "unknown")};
  RunChoice choice = run_choice(request);
  REQUIRE(choice.candidates.size() == 9);
  for (RunCandidate& each : choice.candidates) each.is_on_frontier = each.offer == 0;
  const std::string screen = plan_text(request, choice, "tofn predict").screen;
  CHECK_THAT(screen, ContainsText("8 of 9 rows"));
  CHECK_THAT(screen, ContainsText("\ndgx-a100 -"));
}

TEST_CASE("where no limit is stated, a much shorter run that hardly costs more is offered") {
  const Library library = Library::load(configs);
  StatedRun run{.name = "llama3-8b", .phases = {{.model = find_model(configs, "llama3-8b")}}};
  run.phases[0].stretches = {{1024, 2e12 / run.phases[0].model.sequence_length}};
  RunSearch request{.runs = {run},
                    .offers = {{*library.find_cluster("dgx-h100"), {8, 64}, false}},
                    .profile = find_kernel_profile(configs, "unknown"),
                    .by = *std::find_if(objectives.begin(), objectives.end(),
                                        [](const Objective& each) { return each.name == "cost"; })};
  const RunChoice choice = run_choice(request);
  REQUIRE(choice.candidates[*choice.best].point.accelerators == 8);
  CHECK_THAT(plan_text(request, choice, "tofn predict").screen,
             ContainsText("\nno limit      64 x H100 SXM (dgx-h100)"));
  RunSearch limited = request;
  limited.limits = {{.name = "deadline", .figure = &RunFigures::days, .most = 1e6}};
  CHECK_THAT(plan_text(limited, choice, "tofn predict").screen, !ContainsText("no limit"));
}

TEST_CASE("the chance of a deadline alone is one of being in time") {
  const Library library = Library::load(configs);
  StatedRun run{.name = "llama3-8b", .phases = {{.model = find_model(configs, "llama3-8b")}}};
  run.phases[0].stretches = {{1024, 2e12 / run.phases[0].model.sequence_length}};
  RunSearch request{.runs = {run},
                    .offers = {{*library.find_cluster("dgx-h100"), {32, 64}, false}},
                    .profile = find_kernel_profile(configs, "unknown")};
  const RunLimit deadline{.name = "deadline", .figure = &RunFigures::days, .most = 1e6};
  const RunLimit budget{.name = "budget", .figure = &RunFigures::usd, .most = 1e9};
  const auto screen = [&](std::vector<RunLimit> limits) {
    request.limits = std::move(limits);
    return plan_text(request, run_choice(request), "tofn predict").screen;
  };
  CHECK_THAT(screen({deadline}), ContainsText(" in time %\n"));
  CHECK_THAT(screen({budget}), ContainsText(" chance %\n"));
  CHECK_THAT(screen({deadline, budget}), ContainsText(" chance %\n"));
}

TEST_CASE("where most clusters are off the front, half of a plan's few rows are the front's") {
  const Library library = Library::load(configs);
  StatedRun run{.name = "llama3-8b", .phases = {{.model = find_model(configs, "llama3-8b")}}};
  run.phases[0].stretches = {{1024, 2e12 / run.phases[0].model.sequence_length}};
  RunSearch request{.runs = {run},
                    .offers = {{*library.find_cluster("dgx-h100"), {8, 16, 32, 64, 128}, false}},
                    .profile = find_kernel_profile(configs, "unknown")};
  for (const char* name : {"dgx-a100", "dgx-h200", "hgx-h100", "hgx-h200", "aws-p5", "aws-p4d"})
    request.offers.push_back({*library.find_cluster(name), {64}, false});
  RunChoice choice = run_choice(request);
  REQUIRE(choice.candidates.size() == 11);
  for (RunCandidate& each : choice.candidates) each.is_on_frontier = each.offer == 0;
  const std::string screen = plan_text(request, choice, "tofn predict").screen;
  std::size_t off = 0;
  for (std::size_t at = screen.find(" -  "); at != std::string::npos;
       at = screen.find(" -  ", at + 1))
    ++off;
  CHECK_THAT(screen, ContainsText("8 of 11 rows"));
  CHECK(off == 4);
}

TEST_CASE("a few rows of a plan hold the chosen run and the runner-up") {
  const Library library = Library::load(configs);
  StatedRun run{.name = "llama3-8b", .phases = {{.model = find_model(configs, "llama3-8b")}}};
  run.phases[0].stretches = {{1024, 2e12 / run.phases[0].model.sequence_length}};
  const RunSearch request{
      .runs = {run},
      .offers = {{*library.find_cluster("dgx-h100"), {8, 16, 32, 64, 128, 256, 512, 1024}, false},
                 {*library.find_cluster("dgx-h200"), {16, 32, 64, 128}, false}},
      .profile = find_kernel_profile(configs, "unknown")};
  RunChoice choice = run_choice(request);
  REQUIRE(choice.candidates.size() == 12);
  for (RunCandidate& each : choice.candidates) each.is_on_frontier = true;
  for (std::size_t i = 0; i + 1 < choice.candidates.size(); ++i) {
    choice.best = i;
    choice.runner_up = i + 1;
    choice.candidates[i + 1].is_on_frontier = false;
    const std::string screen = plan_text(request, choice, "tofn predict").screen;
    CHECK_THAT(screen, ContainsText("8 of 12 rows"));
    const std::string table = squeezed(screen.substr(screen.find("Pareto front")));
    const auto row = [&](const char* mark, const RunCandidate& candidate) {
      return fmt::format("\n{}{} {} ", request.offers[candidate.offer].cluster.name, mark,
                         candidate.point.accelerators);
    };
    CHECK_THAT(table, ContainsText(row("", choice.candidates[i])));
    CHECK_THAT(table, ContainsText(row(" -", choice.candidates[i + 1])));
    choice.candidates[i + 1].is_on_frontier = true;
  }
}

TEST_CASE("a plan in a requested low precision tells of it and of its assumption") {
  const Library library = Library::load(configs);
  StatedRun run{.name = "llama3-8b", .phases = {{.model = find_model(configs, "llama3-8b")}}};
  run.phases[0].stretches = {{1024, 2e12 / run.phases[0].model.sequence_length}};
  RunSearch request{.runs = {run},
                    .offers = {{*library.find_cluster("gb200-nvl72"), {64}, false}},
                    .profile = find_kernel_profile(configs, "unknown")};
  const auto screen = [&] { return plan_text(request, run_choice(request), "tofn").screen; };
  CHECK_THAT(screen(), !ContainsText("\nprecision"));
  request.runs[0].phases[0].plan.split.precision = Precision::Fp4;
  request.runs[0].phases[0].plan.stated = {"precision"};
  CHECK_THAT(screen(), ContainsText("\nprecision     fp4, assumed to reach the same loss"));
}
