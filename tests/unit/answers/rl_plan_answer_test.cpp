#include "sim/answers/rl_plan_answer.hpp"

#include <atomic>
#include <set>

#include "sim/config/library.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

RlSearch search_of_sizes() {
  Library library = Library::load(configs);
  RlSearch search;
  search.request.rl = {.prompts = 16,
                       .generations = 8,
                       .response_tokens = 500,
                       .longest_tokens = 2048,
                       .steps = 100};
  search.request.model = find_model(configs, "llama3-8b");
  search.request.profile = find_kernel_profile(configs, "unknown");
  search.offers = {{.cluster = library.cluster("dgx-h100"), .sizes = {8, 16}}};
  search.offers.front().expenses.price = 2;
  return search;
}

}  // namespace

TEST_CASE("a plan of RL has each size on policy and one step off, best in the objective first") {
  RlSearch search = search_of_sizes();
  for (const Objective& by : objectives) {
    search.by = by;
    const RlChoice choice = rl_choice(search);
    CHECK(choice.candidates.size() == 4);
    CHECK(choice.best == 0U);
    for (std::size_t i = 1; i < choice.candidates.size(); ++i)
      CHECK(by.of(choice.candidates[i - 1].figures()) <= by.of(choice.candidates[i].figures()));
  }
  search.request.rl.steps_off = 0;
  CHECK(rl_choice(search).candidates.size() == 2);
}

TEST_CASE("a limit of RL sets aside what breaks it, and a plan without one that keeps it says so") {
  RlSearch search = search_of_sizes();
  const double least = rl_choice(search).shown().figures().days;
  search.by = objectives[1];
  search.confidence = 0.5;
  const RlChoice cheapest = rl_choice(search);
  RunLimit days{.name = "deadline", .figure = &RunFigures::days};
  days.most = 1.05 * least;
  REQUIRE(cheapest.shown().figures().days > days.most);
  search.request.limits = {days};
  const RlChoice sooner = rl_choice(search);
  REQUIRE(sooner.best);
  CHECK(sooner.shown().figures().days < days.most);
  CHECK(sooner.shown().chance >= search.confidence);
  search.request.limits.front().most = 1e-6;
  const RlChoice none = rl_choice(search);
  CHECK_FALSE(none.best);
  CHECK(none.nearest < none.candidates.size());
}

TEST_CASE("a plan of RL that keeps no limit shows the run that is nearest to it") {
  RlSearch search = search_of_sizes();
  search.by = objectives[1];
  RunLimit days{.name = "deadline", .figure = &RunFigures::days};
  days.most = 1e-6;
  search.request.limits = {days};
  const RlChoice choice = rl_choice(search);
  REQUIRE_FALSE(choice.best);
  CHECK(choice.nearest > 0);
  for (const RlCandidate& each : choice.candidates) {
    CHECK(each.chance == 0);
    CHECK(choice.shown().figures().days <= each.figures().days);
  }
}

TEST_CASE("sizes that no division suits are left out with the reason") {
  RlSearch search = search_of_sizes();
  search.request.rl.engine_ranks = 16;
  search.request.rl.steps_off = 0;
  const RlChoice choice = rl_choice(search);
  CHECK(choice.candidates.size() == 1);
  REQUIRE(choice.left_out.size() == 1);
  CHECK_THAT(choice.left_out.front(), ContainsText("dgx-h100, N = 8: "));
  search.offers.front().sizes = {8};
  CHECK(refusal([&] { rl_choice(search); }).starts_with("dgx-h100, N = 8: "));
}

TEST_CASE("a size that is left out at one age of responses alone says at which") {
  RlSearch search = search_of_sizes();
  search.request.rl.engine_ranks = 8;
  search.offers.front().sizes = {8};  // one engine of 8: apart, none is left to train
  const RlChoice choice = rl_choice(search);
  REQUIRE(choice.candidates.size() == 1);
  CHECK(choice.candidates.front().request.rl.steps_off == 0);
  REQUIRE(choice.left_out.size() == 1);
  CHECK_THAT(choice.left_out.front(), ContainsText("dgx-h100, N = 8, 1 step off: "));
}

TEST_CASE("a plan of RL that is stopped answers with what it has") {
  RlSearch search = search_of_sizes();
  std::atomic<int> calls = 0;
  search.is_stopped = [&] { return ++calls > 2; };
  const RlChoice choice = rl_choice(search);
  CHECK(choice.candidates.size() == 2);
  CHECK(choice.not_tried == 2);
  search.is_stopped = [] { return true; };
  CHECK(refusal([&] { rl_choice(search); }) == "stopped before the first candidate");
}

TEST_CASE("a plan of RL tries sizes between doublings around the best of each age") {
  RlSearch search = search_of_sizes();
  search.offers.front().sizes = {8, 16, 32};
  const RlChoice choice = rl_choice(search);
  std::set<int> tried;
  for (const RlCandidate& each : choice.candidates) tried.insert(each.point.accelerators);
  CHECK(tried.count(24) == 1);
  CHECK(*tried.begin() == 8);
  CHECK(*tried.rbegin() == 32);
  std::set<std::optional<int>> ages;
  for (const RlCandidate& each : choice.candidates)
    if (each.point.accelerators == 24) ages.insert(each.request.rl.steps_off);
  CHECK(ages == std::set<std::optional<int>>{0, 1});
  const double between = search.by.of(choice.shown().figures());
  search.offers.front().is_refined = false;
  const RlChoice doublings = rl_choice(search);
  CHECK(doublings.candidates.size() == 6);
  CHECK(between <= search.by.of(doublings.shown().figures()));
}
