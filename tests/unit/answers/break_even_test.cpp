#include <algorithm>

#include "sim/answers/break_even_answer.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;

namespace {

const KernelProfile& stack() {
  static const KernelProfile profile = find_kernel_profile(configs, "unknown");
  return profile;
}

RunSearch search(const char* by, std::vector<const char*> clusters) {
  static Library library = Library::load(configs);
  StatedRun run{.name = "llama3-8b", .phases = {{.model = find_model(configs, "llama3-8b")}}};
  run.phases[0].stretches = {{1024, 2e12 / run.phases[0].model.sequence_length}};
  std::vector<Offer> offers;
  for (const char* name : clusters) offers.push_back({library.cluster(name), {64, 128}, false});
  RunSearch request{.runs = {run}, .offers = std::move(offers), .profile = stack()};
  request.by = *std::find_if(objectives.begin(), objectives.end(),
                             [&](const Objective& each) { return each.name == by; });
  return request;
}

const BreakEven& tie_of(const std::vector<BreakEven>& all, std::string_view figure) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const BreakEven& each) { return each.figure == figure; });
  REQUIRE(found != all.end());
  return *found;
}

double cost_on(const RunChoice& choice, std::size_t offer) {
  double least = 0;
  for (const RunCandidate& each : choice.candidates)
    if (each.offer == offer && (least == 0 || each.figures().usd < least))
      least = each.figures().usd;
  return least;
}

}  // namespace

TEST_CASE("at the price of a tie two clusters cost the same") {
  RunSearch request = search("cost", {"dgx-h100", "dgx-a100"});
  const RunChoice choice = run_choice(request);
  const std::size_t other = 1 - choice.candidates[*choice.best].offer;
  const auto all = break_evens(request, choice);
  const BreakEven& tie = tie_of(all, "price of " + request.offers[other].cluster.name);
  CHECK(tie.value < tie.now);  // the other cluster costs more
  request.offers[other].cluster.prices = {};
  request.offers[other].cluster.prices[0] = Sourced<double>{tie.value, "the tie"};
  const RunChoice again = run_choice(request);
  CHECK(cost_on(again, other) == Approx(cost_on(choice, 1 - other)).epsilon(1e-9));
}

TEST_CASE("the best keeps its tightest deadline, and no tighter one") {
  RunSearch request = search("cost", {"dgx-h100"});
  request.limits = {{"deadline", &RunFigures::days, 60}};
  const RunChoice choice = run_choice(request);
  const double tightest = tie_of(break_evens(request, choice), "deadline").value;
  CHECK(tightest < 60);
  const auto best_within = [&](double days) {
    request.limits[0].most = days;
    return run_choice(request).candidates.front().chance;
  };
  CHECK(best_within(tightest * 1.001) >= request.confidence);
  CHECK(best_within(tightest * 0.999) < request.confidence);
}

TEST_CASE("from the deadline of a tie on the cheaper run is the best") {
  RunSearch request = search("cost", {"dgx-h100"});
  request.limits = {{"deadline", &RunFigures::days, 30}};
  const RunChoice choice = run_choice(request);
  REQUIRE(choice.binding.size() == 1);
  const auto all = break_evens(request, choice);
  const BreakEven& tie = all.back();
  CHECK(tie.other == choice.binding[0].best_without);
  const int cheaper = choice.candidates[tie.other].point.accelerators;
  request.limits[0].most = 1.001 * tie.value;
  RunChoice later = run_choice(request);
  CHECK(later.candidates[*later.best].point.accelerators == cheaper);
  request.limits[0].most = 0.999 * tie.value;
  later = run_choice(request);
  CHECK(later.candidates[*later.best].point.accelerators != cheaper);
}

TEST_CASE("a cluster ties with one of slower NICs at their bandwidth, and the other way round") {
  RunSearch request = search("time", {"dgx-h100", "dgx-h100"});
  for (Offer& offer : request.offers) offer.sizes = {64};
  StatedPlan& plan = request.runs[0].phases[0].plan;  // both clusters have the same plan
  plan.is_whole = true;
  plan.micro_batch = 1;
  plan.split.sharded = Sharded::Parameters;
  request.offers[1].cluster.name = "slower";
  const auto bandwidth_of = [&](std::size_t offer) -> BytesPerSecond& {
    return request.offers[offer].cluster.network->nic_bandwidth.value;
  };
  const BytesPerSecond fast = 0.25 * bandwidth_of(0);  // too slow to hide all traffic
  const BytesPerSecond slower = 1 / 1.5 * fast;
  bandwidth_of(0) = fast;
  bandwidth_of(1) = slower;
  RunChoice choice = run_choice(request);
  REQUIRE(choice.candidates[*choice.best].offer == 0);
  CHECK_THAT(tie_of(break_evens(request, choice), "network.nic_bandwidth of dgx-h100").value,
             test::WithinRel(slower.base(), 2e-3));
  std::swap(choice.best, choice.runner_up);
  CHECK_THAT(tie_of(break_evens(request, choice), "network.nic_bandwidth of slower").value,
             test::WithinRel(fast.base(), 2e-3));
}

TEST_CASE("at the bandwidth of a tie two clusters take as long") {
  RunSearch request = search("time", {"dgx-h100", "dgx-h200"});
  for (Offer& offer : request.offers) offer.sizes = {64};
  const RunChoice choice = run_choice(request);
  const RunCandidate& best = choice.candidates[*choice.best];
  const RunCandidate& other = choice.candidates[*choice.runner_up];
  REQUIRE(best.offer != other.offer);
  for (const BreakEven& tie : break_evens(request, choice)) {
    INFO(tie.words);
    Run run = *best.point.estimate->run;
    Cluster slower = request.offers[best.offer].cluster;
    if (tie.figure.starts_with("network.nic_bandwidth"))
      slower.network->nic_bandwidth.value = BytesPerSecond{tie.value};
    else
      slower.scale_up.bandwidth.value = BytesPerSecond{tie.value};
    run.stretches[0].step = run.stretches[0].step->on(slower, stack());
    CHECK(expected_figures(run).days == Approx(other.figures().days).epsilon(0.002));
  }
}
