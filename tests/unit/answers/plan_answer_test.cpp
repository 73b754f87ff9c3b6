#include "sim/answers/plan_answer.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>

#include "sim/answers/predict_answer.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/config/load_plan.hpp"
#include "sim/core/statistics.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const Cluster& machine(const char* name) {
  static Library library = Library::load(configs);
  return *library.find_cluster(name);
}

const KernelProfile& plan_answer_stack() {
  static const KernelProfile profile = find_kernel_profile(configs, "unknown");
  return profile;
}

/// A run of 2T tokens of Llama 3 8B at 1,024 samples a step.
StatedRun run_8b() {
  StatedRun run{.name = "llama3-8b", .phases = {{.model = find_model(configs, "llama3-8b")}}};
  run.phases[0].stretches = {{1024, 2e12 / run.phases[0].model.sequence_length}};
  return run;
}

RunSearch search_of(std::vector<Offer> offers, const char* by) {
  RunSearch request{
      .runs = {run_8b()}, .offers = std::move(offers), .profile = plan_answer_stack()};
  request.by = *std::find_if(objectives.begin(), objectives.end(),
                             [&](const Objective& each) { return each.name == by; });
  return request;
}

std::vector<Offer> two_offers() {
  return {{machine("dgx-h100"), {32, 64, 128}, false}, {machine("dgx-a100"), {64, 128}, false}};
}

const RunFigures& best_of(const RunChoice& choice) {
  return choice.candidates[choice.best.value()].figures();
}

}  // namespace

TEST_CASE("the best run is that of all sizes on all machines") {
  for (const Objective& by : objectives) {
    INFO(by.name);
    const RunSearch request = search_of(two_offers(), std::string(by.name).c_str());
    const RunChoice choice = run_choice(request);
    REQUIRE(choice.candidates.size() == 5);
    double least = INFINITY;
    for (const Offer& offer : request.offers)
      for (const int size : offer.sizes) {
        const RunPoint point = run_point({.of = ModelRun{.run = request.runs[0],
                                                         .cluster = offer.cluster,
                                                         .stack = plan_answer_stack(),
                                                         .space = request.space}},
                                         size);
        least = std::min(least, by.of(point.estimate->expected));
      }
    CHECK(by.of(best_of(choice)) == least);
    const double second = by.of(choice.candidates[choice.runner_up.value()].figures());
    CHECK(std::count_if(choice.candidates.begin(), choice.candidates.end(),
                        [&](const auto& each) { return by.of(each.figures()) < second; }) == 1);
    CHECK(choice.binding.empty());
  }
}

TEST_CASE("sizes between doublings are tried about the best, with a batch that splits over them") {
  RunSearch request = search_of({{machine("dgx-h100"), {32, 64, 128}}}, "cost");
  request.runs[0].has_default_batch = true;
  const double days = best_of(run_choice(request)).days;
  request.limits = {{"deadline", &RunFigures::days, 0.8 * days}};
  const RunChoice choice = run_choice(request);
  const RunCandidate& best = choice.candidates[choice.best.value()];
  CHECK(best.point.accelerators > 32);
  CHECK(best.point.accelerators < 64);
  const Plan& plan = best.point.estimate->run->stretches[0].step->plan();
  CHECK(plan.micro_batch == std::round(plan.micro_batch));
  const double doublings = std::round(std::log2(plan.global_batch() / 1024));
  CHECK(doublings >= 0);
  CHECK_THAT(plan.global_batch(), WithinRel(1024 * std::exp2(doublings), 0.07));
  // A stated batch is not changed.
  request.runs[0].has_default_batch = false;
  for (const RunCandidate& each : run_choice(request).candidates)
    CHECK(each.point.estimate->run->stretches[0].step->plan().global_batch() == 1024);
}

TEST_CASE("a limit is kept in as many draws as its place in the interval says") {
  RunSearch request = search_of({{machine("dgx-h100"), {64}, false}}, "time");
  const RunCandidate alone = run_choice(request).candidates.front();
  CHECK(alone.chance == 1);
  const RunEstimate& job = *alone.point.estimate;
  const auto chance = [&](double days) {
    request.limits = {{"deadline", &RunFigures::days, days}};
    return run_choice(request).candidates.front().chance;
  };
  CHECK_THAT(chance(job.expected.days), WithinAbs(0.5, 0.05));
  const Interval& drawn = job.time.interval;
  CHECK_THAT(chance(job.expected.days * drawn.high), WithinAbs(0.95, 1e-3));
  CHECK_THAT(chance(job.expected.days * drawn.low), WithinAbs(0.05, 1e-3));
  // Cost follows time, so the two limits are exceeded in the same samples.
  request.limits = {{"deadline", &RunFigures::days, job.expected.days * drawn.high},
                    {"budget", &RunFigures::usd, job.expected.usd * drawn.high}};
  CHECK_THAT(run_choice(request).candidates.front().chance, WithinAbs(0.95, 1e-3));
}

TEST_CASE("a run that keeps a limit exactly as surely as asked keeps it") {
  RunSearch request = search_of({{machine("dgx-h100"), {64, 128}, false}}, "time");
  const RunChoice free = run_choice(request);
  const RunCandidate& slower = free.candidates[free.runner_up.value()];
  REQUIRE(slower.point.accelerators == 64);
  request.limits = {{"deadline", &RunFigures::days, slower.figures().days}};
  request.confidence = run_choice(request).candidates.back().chance;
  REQUIRE(request.confidence < 0.6);
  CHECK(run_choice(request).runner_up);
  request.confidence += 1e-6;
  CHECK_FALSE(run_choice(request).runner_up);
}

TEST_CASE("every limit is held against the draws that are printed, with their overrun") {
  RunSearch request = search_of({{machine("dgx-h100"), {64}, false}}, "time");
  request.overrun = published_overrun;
  const RunCandidate alone = run_choice(request).candidates.front();
  for (const RunFigure& figure : run_figures) {
    if (figure.rests_on != RestsOn::Run && figure.rests_on != RestsOn::Price &&
        figure.rests_on != RestsOn::Power)
      continue;
    INFO(figure.name);
    const auto chance = [&](double most) {
      request.limits = {{"limit", figure.value, most}};
      return run_choice(request).candidates.front().chance;
    };
    CHECK_THAT(chance(*alone.estimate().typical(figure)), WithinAbs(0.5, 1e-3));
    CHECK_THAT(chance(alone.estimate().interval(figure).high), WithinAbs(0.95, 1e-3));
    CHECK(chance(*alone.estimate().value(figure)) < 0.3);  // most runs overrun less than the mean
  }
}

TEST_CASE("what costs more in the same time is not on the frontier") {
  Offer cheap{machine("dgx-h100"), {64, 128}, false};
  Offer dear = cheap;
  cheap.expenses.price = 2;
  dear.expenses.price = 3;
  const RunChoice choice = run_choice(search_of({dear, cheap}, "cost"));
  REQUIRE(choice.candidates.size() == 4);
  for (const RunCandidate& each : choice.candidates)
    if (each.offer == 0) CHECK_FALSE(each.is_on_frontier);
  CHECK(choice.candidates[choice.best.value()].is_on_frontier);
}

TEST_CASE("a deadline that decides is named, with what would be best without it") {
  RunSearch request = search_of(two_offers(), "cost");
  const RunChoice free = run_choice(request);
  const RunFigures cheapest = best_of(free);
  request.limits = {{"deadline", &RunFigures::days, cheapest.days / 2},
                    {"budget", &RunFigures::usd, 10 * cheapest.usd}};
  const RunChoice choice = run_choice(request);
  REQUIRE(choice.best);
  CHECK(choice.candidates[*choice.best].chance >= request.confidence);
  CHECK(best_of(choice).usd >= cheapest.usd);
  REQUIRE(choice.binding.size() == 1);
  CHECK(choice.binding[0].limit.name == "deadline");
  CHECK(choice.candidates[choice.binding[0].best_without].figures().usd == cheapest.usd);
}

TEST_CASE("where nothing keeps the limits, the likeliest is the nearest") {
  RunSearch request = search_of(two_offers(), "cost");
  double soonest = INFINITY;
  for (const RunCandidate& each : run_choice(request).candidates)
    soonest = std::min(soonest, each.figures().days);
  request.limits = {{"deadline", &RunFigures::days, 0.98 * soonest}};
  const RunChoice choice = run_choice(request);
  CHECK_FALSE(choice.best);
  CHECK(choice.candidates[choice.nearest].figures().days == soonest);
  for (const RunCandidate& each : choice.candidates)
    CHECK(each.chance <= choice.candidates[choice.nearest].chance);
}

TEST_CASE("where no draw keeps the limits, the nearest passes them by least") {
  RunSearch request = search_of({{machine("dgx-h100"), {32, 64, 128}, false}}, "cost");
  request.limits = {{"deadline", &RunFigures::days, 0.01}};
  const RunChoice choice = run_choice(request);
  REQUIRE(choice.candidates.size() == 3);
  for (const RunCandidate& each : choice.candidates) CHECK(each.chance == 0);
  CHECK(choice.candidates[choice.nearest].point.accelerators == 128);  // the fastest
  // The cheapest is not the nearest if it exceeds its budget by a factor twice that of the
  // deadline.
  request.limits = {{"deadline", &RunFigures::days, 0.01}, {"budget", &RunFigures::usd, 1}};
  const RunChoice both = run_choice(request);
  const auto over = [](const RunCandidate& each) {
    return std::max(each.figures().days / 0.01, each.figures().usd);
  };
  for (const RunCandidate& each : both.candidates)
    CHECK(over(each) >= over(both.candidates[both.nearest]));
}

TEST_CASE("runs on one cluster share its draws, runs on two those of the software") {
  const auto factors = [](const char* name, int accelerators) {
    const StatedRun run = run_8b();
    const Cluster on = machine(name);
    const RunPoint point = run_point(
        {.of = ModelRun{.run = run, .cluster = on, .stack = plan_answer_stack()}}, accelerators);
    std::vector<double> times;
    for (const RunSample& draw : point.estimate->samples) times.push_back(draw.time);
    return times;
  };
  const auto spread_of_ratio = [](const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < a.size(); ++i) ratios.push_back(std::log(a[i] / b[i]));
    return standard_deviation(ratios);
  };
  const auto one = factors("dgx-h100", 64);
  const auto larger = factors("dgx-h100", 128);
  const auto other = factors("dgx-a100", 64);
  std::vector<double> logarithms;
  for (const double factor : one) logarithms.push_back(std::log(factor));
  const double alone = standard_deviation(logarithms);
  CHECK(spread_of_ratio(one, one) == 0);
  CHECK(spread_of_ratio(one, larger) < 0.3 * alone);
  CHECK(spread_of_ratio(one, larger) < spread_of_ratio(one, other));
  CHECK(spread_of_ratio(one, other) < alone);
}

TEST_CASE("who asks for money needs prices") {
  Cluster unpriced = machine("dgx-h100");
  unpriced.prices = {};
  unpriced.accelerator.prices = {};
  const RunSearch by_cost = search_of({{unpriced, {64}, false}}, "cost");
  CHECK(refusal([&] { run_choice(by_cost); }) ==
        "dgx-h100, N = 64: no price is known: state one with --price");
  RunSearch by_time = search_of({{unpriced, {64}, false}}, "time");
  CHECK(run_choice(by_time).best);
  by_time.limits = {{"budget", &RunFigures::usd, 1e9}};
  CHECK_THROWS_AS(run_choice(by_time), InputError);
}

TEST_CASE("a precision is tried on the chips that have it, and what it saves is said") {
  RunSearch request =
      search_of({{machine("dgx-h100"), {64}, false}, {machine("dgx-a100"), {64}, false}}, "cost");
  request.runs.push_back(request.runs[0]);
  request.runs[1].phases[0].plan.split.precision = Precision::Fp8;
  request.runs[1].phases[0].plan.stated = {"precision"};
  const RunChoice choice = run_choice(request);
  REQUIRE(choice.candidates.size() == 3);
  const RunCandidate& best = choice.candidates[choice.best.value()];
  CHECK(best.run == 1);
  CHECK(best.offer == 0);
  const RunCandidate& other = choice.candidates[choice.other_precision.value()];
  CHECK(other.run == 0);
  CHECK(other.offer == 0);
  CHECK(choice.candidates[choice.runner_up.value()].offer == 1);
}

TEST_CASE("why a run lost: its factors make up what it has more of") {
  for (const Objective& by : objectives) {
    INFO(by.name);
    RunSearch request = search_of(two_offers(), std::string(by.name).c_str());
    request.offers[1].expenses.price = 1.1;
    request.runs[0].has_default_batch = true;
    const RunChoice choice = run_choice(request);
    const RunCandidate& best = choice.candidates[choice.best.value()];
    for (const RunCandidate& other : choice.candidates) {
      double product = 1;
      for (const LostBy& each : lost_by(best.point, other.point, by.name)) {
        product *= each.ratio;
        double parts = 0;
        for (const auto& [part, growth] : each.parts) parts += growth;
        if (!each.parts.empty() && by.name == "cost")
          CHECK_THAT(1 + parts, WithinAbs(each.ratio, 0.01));
      }
      CHECK_THAT(product, WithinRel(by.of(other.figures()) / by.of(best.figures()), 0.006));
    }
  }
}

TEST_CASE("the best run is ahead in as many draws as it takes no longer in") {
  const RunChoice choice = run_choice(search_of(two_offers(), "time"));
  const RunCandidate& best = choice.candidates[choice.best.value()];
  const RunCandidate& other = choice.candidates[choice.runner_up.value()];
  int ahead = 0;
  for (std::size_t i = 0; i < best.estimate().samples.size(); ++i)
    ahead += best.estimate().sampled(figure_of(&RunFigures::days), best.estimate().samples[i]) <=
             other.estimate().sampled(figure_of(&RunFigures::days), other.estimate().samples[i]);
  CHECK(ahead > 0);
  CHECK(choice.ahead * static_cast<double>(best.estimate().samples.size()) == ahead);
}

TEST_CASE("a search that is stopped answers with what it has") {
  RunSearch request = search_of({{machine("dgx-h100"), {32, 64, 128}}}, "cost");
  std::atomic<int> calls = 0;
  request.is_stopped = [&] { return ++calls > 2; };
  const RunChoice choice = run_choice(request);
  CHECK(choice.candidates.size() == 2);
  CHECK(choice.not_tried >= 1);
  request.is_stopped = [] { return true; };
  CHECK(refusal([&] { run_choice(request); }) == "stopped before the first candidate");
}

TEST_CASE("spot nodes that a list has taken away cost what their lost time does") {
  const auto cost = [](double hours) {
    RunSearch request = search_of({{machine("dgx-h100"), {64}, false}}, "cost");
    request.offers[0].cluster.prices[static_cast<std::size_t>(PriceTerm::Spot)] = {1.0, "a list"};
    request.offers[0].expenses = {.term = PriceTerm::Spot,
                                  .time_to_preemption = Seconds(3600 * hours)};
    return best_of(run_choice(request));
  };
  const RunFigures often = cost(20);
  const RunFigures seldom = cost(2000);
  CHECK(often.lost_seconds > 5 * seldom.lost_seconds);
  CHECK_THAT(often.usd / seldom.usd, WithinRel(often.seconds / seldom.seconds, 1e-9));
}

TEST_CASE("the file of a plan reads back as the plan") {
  for (const char* name : {"dgx-h100", "dgx-a100"}) {
    const StatedRun run = run_8b();
    const Cluster on = machine(name);
    const RunPoint point =
        run_point({.of = ModelRun{.run = run, .cluster = on, .stack = plan_answer_stack()}}, 64);
    Plan plan = point.estimate->run->stretches[0].step->plan();
    plan.precision = Precision::Fp8;
    plan.data_overlap = plan.parameter_overlap = false;
    plan.accelerators_per_domain = 4;
    const TemporaryFile file("plan.yaml", plan_file_yaml(plan, "best", "tofn predict \"it\""));
    const StatedPlan read = load_plan(file.path());
    CHECK(read.name == "best");
    CHECK(plan_words(plan_on(read, 64, plan.global_batch())) == plan_words(plan));
  }
}

TEST_CASE("runs are ranked by the figures that are printed, with the overrun") {
  RunSearch request = search_of(
      {{machine("dgx-h100"), {64, 128}, false}, {machine("dgx-a100"), {64}, false}}, "cost");
  request.overrun = published_overrun;
  const RunChoice choice = run_choice(request);
  const RunFigure& cost = figure_of(&RunFigures::usd);
  for (std::size_t i = 1; i < choice.candidates.size(); ++i)
    CHECK(*choice.candidates[i - 1].estimate().typical(cost) <=
          *choice.candidates[i].estimate().typical(cost) * (1 + 1e-12));
}
