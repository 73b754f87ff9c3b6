#include "sim/answers/choice_uncertainty.hpp"

#include <map>
#include <numbers>

#include "sim/answers/uncertain_parts.hpp"
#include "sim/cluster/cluster_fields.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/core/random.hpp"
#include "sim/expense/expense.hpp"
#include "sim/simulation/stack_uncertainty.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;

namespace {

const KernelProfile& stack_of_all() {
  static const KernelProfile profile = find_kernel_profile(configs, "unknown");
  return profile;
}

/// A search for a run of Llama 3 8B on whole sizes of shipped clusters.
RunSearch search_on(const std::vector<std::pair<const char*, std::vector<int>>>& machines,
                    std::size_t objective) {
  static Library library = Library::load(configs);
  StatedRun run{.name = "llama3-8b", .phases = {{.model = find_model(configs, "llama3-8b")}}};
  run.phases[0].stretches = {{1024, 2e12 / run.phases[0].model.sequence_length}};
  RunSearch search{
      .runs = {run}, .offers = {}, .profile = stack_of_all(), .by = objectives[objective]};
  for (const auto& [name, sizes] : machines)
    search.offers.push_back(
        {.cluster = *library.find_cluster(name), .sizes = sizes, .is_refined = false});
  return search;
}

/// Sets the second offer's price so that its run costs `ratio` times what the first's does.
void price_apart(RunSearch& search, double ratio) {
  for (Offer& offer : search.offers) offer.expenses.price = 1;
  const RunChoice even = run_choice(search);
  std::array<double, 2> usd{};
  for (const RunCandidate& each : even.candidates) usd[each.offer] = each.figures().usd;
  search.offers[1].expenses.price = ratio * usd[0] / usd[1];
}

const SimulatedStep& step_of(const RunCandidate& run) { return *run.estimate().simulated(); }

StepCase case_of(const SimulatedStep& step, const Plan& plan) {
  return {.model = step.model, .plan = plan, .cluster = step.cluster, .measured = {}};
}

/// Lower triangle L of a covariance L L'; what is not of full rank stays 0.
std::vector<double> root_of(const std::vector<double>& covariance, std::size_t size) {
  std::vector<double> root(size * size);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double left = covariance[i * size + j];
      for (std::size_t k = 0; k < j; ++k) left -= root[i * size + k] * root[j * size + k];
      if (i == j)
        root[i * size + i] = std::sqrt(std::max(0.0, left));
      else if (root[j * size + j] > 1e-9)
        root[i * size + j] = left / root[j * size + j];
    }
  return root;
}

constexpr const char* nothing = "nothing";

/// Drawn truths of the inputs of two runs: what a measurement of each name shows in every draw, and
/// the logarithm of the ratio of the costs.
class Truths {
 public:
  Truths(const RunSearch& search, const RunChoice& choice, int draws)
      : search_(search),
        runs_{&choice.candidates[*choice.best], &choice.candidates[*choice.runner_up]} {
    set_covariance();
    for (const RunCandidate* run : runs_) {
      const SimulatedStep& step = step_of(*run);
      usual_.push_back(closed_step(case_of(step, step.plan), stack_of_all()).base());
    }
    shown_[nothing] = {};
    for (int i = 0; i < draws; ++i) draw();
  }

  /// Share of the draws in which the run is right that is chosen by what the measurement shows. The
  /// shown numbers are independent, so that the expected ratio is a sum of slopes.
  double share_right(const std::string& measurement) const {
    std::vector<double> expected(ratios_.size(), mean(ratios_));
    for (const std::vector<double>& shown : shown_.at(measurement)) {
      const double middle = mean(shown);
      double product = 0, square = 0;
      for (std::size_t i = 0; i < shown.size(); ++i) {
        product += (shown[i] - middle) * ratios_[i];
        square += (shown[i] - middle) * (shown[i] - middle);
      }
      for (std::size_t i = 0; i < shown.size(); ++i)
        expected[i] += product / square * (shown[i] - middle);
    }
    int right = 0;
    for (std::size_t i = 0; i < expected.size(); ++i)
      right += (expected[i] > 0) == (ratios_[i] > 0);
    return right / static_cast<double>(ratios_.size());
  }

 private:
  static constexpr std::size_t figures = stack_figures.size();
  static constexpr std::size_t size = figures + 3;  ///< with the model's factor and two chips'

  void set_covariance() {
    std::vector<double> all(size * size);
    const auto set = [&](std::size_t i, std::size_t j, double value) {
      all[i * size + j] = all[j * size + i] = value;
    };
    const StackUncertainty& known = stack_of_all().uncertainty;
    for (std::size_t i = 0; i < figures; ++i) {
      for (std::size_t j = 0; j < figures; ++j) set(i, j, known.covariance[i * figures + j]);
      if (!known.with_model.empty()) set(i, figures, known.with_model[i]);
    }
    set(figures, figures, std::pow(known.discrepancy.model, 2));
    for (std::size_t k = 0; k < 2; ++k) {
      const ChipFactor* chip = stack_of_all().find_chip(step_of(*runs_[k]).cluster.accelerator);
      REQUIRE(chip != nullptr);
      set(figures + 1 + k, figures + 1 + k, chip->deviation * chip->deviation);
      set(figures + 1 + k, figures, chip->with_model);
      for (std::size_t i = 0; i < chip->with_figures.size(); ++i)
        set(i, figures + 1 + k, chip->with_figures[i]);
    }
    root_ = root_of(all, size);
  }

  void show(const std::string& name, std::size_t index, double value) {
    auto& columns = shown_[name];
    if (columns.size() <= index) columns.resize(index + 1);
    columns[index].push_back(value);
  }

  void draw() {
    std::array<double, size> normal{};
    std::array<double, size> drawn{};
    for (double& each : normal) each = random_.normal();
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j <= i; ++j) drawn[i] += root_[i * size + j] * normal[j];
    KernelProfile truth = stack_of_all();
    for (std::size_t i = 0; i < figures; ++i)
      stack_figures[i].set(truth, stack_figures[i].value(stack_of_all()) * std::exp(drawn[i]));
    std::map<std::string, std::array<double, 5>> of_cluster;
    std::map<std::string, double> of_plan;
    const Discrepancy& left = stack_of_all().uncertainty.discrepancy;
    std::array<double, 2> cost{};
    for (std::size_t k = 0; k < 2; ++k) {
      const SimulatedStep& step = step_of(*runs_[k]);
      const Offer& offer = search_.offers[runs_[k]->offer];
      const std::string& name = step.cluster.name;
      const bool is_new = of_cluster.count(name) == 0;
      auto& own = of_cluster[name];
      if (is_new)
        for (double& each : own) each = random_.normal();
      const auto factor = of_plan.emplace(plan_key(case_of(step, step.plan)), random_.normal());
      Cluster cluster = step.cluster;
      const StepSpreads& spreads = step.responses.spreads();
      scale_links(cluster, Uncertainty::Bandwidth, std::exp(spreads.bandwidth * own[0]));
      scale_links(cluster, Uncertainty::Latency, std::exp(spreads.latency * own[1]));
      const bool is_one_chip =
          step.cluster.accelerator.name == step_of(*runs_[0]).cluster.accelerator.name;
      const double lasting = drawn[figures] + drawn[figures + (is_one_chip ? 1 : 2)] +
                             left.plan * factor.first->second;
      const auto seconds = [&](const Plan& plan) {
        StepCase one = case_of(step, plan);
        one.cluster = cluster;
        return closed_step(one, truth).base() * std::exp(lasting + left.run * random_.normal());
      };
      const RunEstimate& estimate = runs_[k]->estimate();
      const RunFigures& f = estimate.expected;
      const double undisturbed =
          (f.training_seconds + f.evaluation_seconds) * seconds(step.plan) / usual_[k] +
          f.start_up_seconds + f.input_seconds;
      const double total =
          interrupted(Seconds{undisturbed},
                      drawn_interruptions(estimate.expense.interruptions, estimate.run->expenses,
                                          {own[2], own[3], own[4]}),
                      estimate.run->expenses.checkpoint_every)
              .expected.base();
      const double price = random_.normal();
      cost[k] = std::log(total * f.usd / f.seconds) + offer.price_deviation * price;
      for (const Plan& plan : plans_to_measure(step))
        show(fmt::format("a step on {} of {}, plan of {}", plan.accelerators(), name,
                         step.plan.accelerators()),
             0, std::log(seconds(plan)));
      if (!is_new) continue;
      show("collectives on two of its nodes: " + name, 0, own[0]);
      show("collectives on two of its nodes: " + name, 1, own[1]);
      show("a quote for these machines: " + name, 0, price);
      for (std::size_t i = 0; i < 3; ++i) show("a log of your failures", 3 * k + i, own[2 + i]);
    }
    ratios_.push_back(cost[1] - cost[0]);
  }

  const RunSearch& search_;
  std::array<const RunCandidate*, 2> runs_;
  std::vector<double> root_{};
  std::vector<double> usual_{};
  Random random_{7};
  std::vector<double> ratios_{};
  std::map<std::string, std::vector<std::vector<double>>> shown_{};
};

/// Checks the chance of a right choice today and after each measurement against drawn truths, and
/// returns what the first measurement adds to it.
double gain_of_first(const RunSearch& search) {
  // A share of so many draws errs by 0.01. The rest is of inputs that do not act in proportion:
  // drawn figures of the stack favour one of two chips by 1 % on average.
  constexpr double error = 0.04;
  const RunChoice choice = run_choice(search);
  const ChoiceUncertainty uncertain = choice_uncertainty(search, choice);
  const Truths truths(search, choice, 8000);
  const double today = truths.share_right(nothing);
  CHECK_THAT(today, WithinAbs(uncertain.chance(), error));
  if (uncertain.next.empty()) return 0;
  const double first = truths.share_right(uncertain.next.front().name);
  for (const Measurement& each : uncertain.next) {
    CAPTURE(each.name, uncertain.chance(), today, first);
    const double share = truths.share_right(each.name);
    CHECK_THAT(share, WithinAbs(uncertain.chance_after(each), error));
    CHECK(first >= share - error);
    CHECK(uncertain.chance_after(each) >= uncertain.chance() + least_choice_gain);
  }
  return first - today;
}

}  // namespace

TEST_CASE("a choice is as sure as what is left unknown allows") {
  CHECK(chance_of_right_choice(0, 0.2, 0.2) == Approx(0.5));
  CHECK(chance_of_right_choice(0.2, 0.2, 0.2) == Approx(0.8413).epsilon(1e-3));
  CHECK(chance_of_right_choice(0.2, 0.2, 0) == 1);
  // A measurement with the share r^2 of the variance picks the right one of two that are expected
  // to be alike with the chance 1/2 + asin(r) / pi.
  for (const double r : {0.2, 0.5, 0.9})
    CHECK(chance_of_right_choice(0, 1, std::sqrt(1 - r * r)) ==
          Approx(0.5 + std::asin(r) / std::numbers::pi).epsilon(2e-3));
}

TEST_CASE("the covariance of a step with itself is its variance without that of a run") {
  const RunSearch search = search_on({{"dgx-h100", {64}}, {"dgx-a100", {64}}}, 0);
  const RunChoice choice = run_choice(search);
  std::vector<RespondingStep> steps;
  for (const RunCandidate& each : choice.candidates) {
    const StepCase step = case_of(step_of(each), step_of(each).plan);
    const Accelerator& chip = step.cluster.accelerator;
    const auto seconds = [&](const KernelProfile& by) { return closed_step(step, by).base(); };
    steps.push_back({step, stack_response(stack_of_all(), seconds, chip.architecture)});
    const StackUncertainty on = uncertainty_on(stack_of_all(), chip, step.model);
    const double variance = stack_covariance(steps.back(), steps.back(), stack_of_all());
    CHECK(variance + std::pow(on.discrepancy.run, 2) ==
          Approx(std::pow(stack_deviation(steps.back().response, on), 2)));
  }
  REQUIRE(steps.size() == 2);
  const double shared = stack_covariance(steps[0], steps[1], stack_of_all());
  CHECK(shared == Approx(stack_covariance(steps[1], steps[0], stack_of_all())));
  CHECK(shared < stack_covariance(steps[0], steps[0], stack_of_all()));
}

TEST_CASE("the chance of a choice today is its share of the draws") {
  constexpr double few_per_cent = 0.03;
  for (RunSearch search : {search_on({{"dgx-h100", {64}}, {"dgx-h200", {64}}}, 0),
                           search_on({{"dgx-h100", {32, 64}}}, 1),
                           search_on({{"dgx-h100", {64}}, {"dgx-a100", {64}}}, 1),
                           search_on({{"dgx-h100", {64}}, {"mi300x", {64}}}, 3)}) {
    if (search.offers.size() > 1 && search.by.needs_price) price_apart(search, 1.1);
    for (const double deviation : {0.0, 0.2}) {
      for (Offer& offer : search.offers) offer.price_deviation = deviation;
      const RunChoice choice = run_choice(search);
      REQUIRE(choice.runner_up);
      CAPTURE(search.offers.front().cluster.name, search.by.name, deviation);
      const ChoiceUncertainty uncertain = choice_uncertainty(search, choice);
      CAPTURE(uncertain.logarithm, uncertain.deviation);
      CHECK_THAT(uncertain.chance(), WithinAbs(choice.ahead, few_per_cent));
    }
  }
}

TEST_CASE("a choice after a measurement is right as often as it is said to be") {
  RunSearch search = search_on({{"dgx-h100", {64}}, {"dgx-a100", {64}}}, 1);
  price_apart(search, 1.05);
  SECTION("two chips") { CHECK(gain_of_first(search) > 0.01); }
  SECTION("two chips, one without a price of its own") {
    search.offers[0].price_deviation = 0.3;
    CHECK(gain_of_first(search) > 0.1);
  }
  SECTION("two sizes of one cluster") { gain_of_first(search_on({{"dgx-h100", {64, 256}}}, 1)); }
  SECTION("two clusters of one chip") {
    RunSearch of_one_chip = search_on({{"dgx-h100", {512}}, {"aws-p5", {512}}}, 1);
    price_apart(of_one_chip, 1.02);
    gain_of_first(of_one_chip);
  }
}
