#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "sim/answers/stacks_answer.hpp"
#include "sim/answers/steps_answer.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/core/accuracy.hpp"
#include "sim/core/file.hpp"
#include "sim/core/statistics.hpp"
#include "sim/kernel/stack_figures.hpp"
#include "sim/simulation/stack_uncertainty.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/temporary_folder.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

namespace fs = std::filesystem;

/// Rows of steps.csv whose stack is one of these words, or whose model begins with one. Rows of
/// `doubled` on more than `above` accelerators get twice the time.
std::string some_steps(const std::vector<std::string>& words, const std::string& doubled,
                       int above = 0) {
  std::istringstream lines(read_text_file(configs / "measured/steps.csv"));
  std::string text;
  std::string line;
  bool is_header = true;
  std::size_t time_column = 0;
  std::size_t size_column = 0;
  while (std::getline(lines, line)) {
    if (line.starts_with('#')) continue;
    std::vector<std::string> cells{""};
    for (const char c : line)
      if (c == ',' && cells.size() < 28)  // only later columns have quotes
        cells.emplace_back();
      else
        cells.back() += c;
    const auto holds = [&](const std::string& word) {
      return cells[0] == word || cells[1].starts_with(word);
    };
    if (is_header) {
      for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i] == "measured_step_s") time_column = i;
        if (cells[i] == "gpus") size_column = i;
      }
    } else if (std::none_of(words.begin(), words.end(), holds)) {
      continue;
    } else if (!doubled.empty() && holds(doubled) && std::stoi(cells[size_column]) > above) {
      cells[time_column] = std::to_string(2 * std::stod(cells[time_column]));
    }
    is_header = false;
    for (std::size_t i = 0; i < cells.size(); ++i) text += (i == 0 ? "" : ",") + cells[i];
    text += '\n';
  }
  return text;
}

/// Scores of predictions that are fitted to these steps only.
std::vector<ScoredStep> scored(const std::string& steps, StepProtocol protocol) {
  const TemporaryFolder folder;
  const fs::path own = folder.path() / "configs";
  fs::create_directories(own);
  for (const char* name :
       {"accelerators", "clusters", "fabrics", "models", "plans", "stacks", "workloads"})
    fs::copy(configs / name, own / name, fs::copy_options::recursive);
  fs::create_directory(own / "measured");
  std::ofstream(own / "measured/steps.csv") << steps;
  return steps_answer(own, tables_of_steps(own), protocol);
}

}  // namespace

TEST_CASE("the stacks that ship are what the steps that ship teach") {
  for (const ExplainedStack& stack : explained_stacks(configs)) {
    const KernelProfile& learned = stack.learned;
    const KernelProfile shipped = find_kernel_profile(configs, learned.name);
    INFO(learned.name);
    CHECK(shipped.steps == learned.steps);
    for (std::size_t i = 0; i < stack_figures.size(); ++i) {
      const StackFigure& figure = stack_figures[i];
      INFO(figure.key);
      CHECK_THAT(figure.value(shipped), WithinRel(figure.value(learned), 0.002));
      const std::size_t own = i * (stack_figures.size() + 1);
      CHECK_THAT(shipped.uncertainty.covariance.at(own),
                 WithinRel(learned.uncertainty.covariance[own], 0.02));
    }
    CHECK_THAT(shipped.uncertainty.discrepancy.total(),
               WithinRel(learned.uncertainty.discrepancy.total(), 0.02));
  }
}

TEST_CASE("what a step took moves no prediction that has not seen it") {
  const std::vector<std::string> words{"torchtitan", "megatron-lm", "nemo-launcher"};
  const auto unchanged = [&](StepProtocol protocol, const std::string& doubled, auto is_hidden,
                             int above = 0) {
    const auto as_is = scored(some_steps(words, ""), protocol);
    const auto twice = scored(some_steps(words, doubled, above), protocol);
    REQUIRE(as_is.size() == twice.size());
    int hidden = 0;
    int moved = 0;
    for (std::size_t i = 0; i < as_is.size(); ++i) {
      if (!as_is[i].skipped_because.empty()) continue;
      if (is_hidden(as_is[i])) {
        ++hidden;
        CHECK(as_is[i].measured * 2 == twice[i].measured);
        CHECK(as_is[i].predicted == twice[i].predicted);
        CHECK(as_is[i].deviation == twice[i].deviation);
      } else if (as_is[i].predicted != twice[i].predicted) {
        ++moved;
      }
    }
    CHECK(hidden > 0);
    CHECK(moved > 0);
  };
  unchanged(StepProtocol::LeftOutModel, "GPT3-5B",
            [](const ScoredStep& step) { return step.model == "GPT3-5B"; });
  unchanged(StepProtocol::UnknownStack, "torchtitan",
            [](const ScoredStep& step) { return step.stack == "torchtitan"; });
  // The steps on 8 accelerators are the measured ones.
  unchanged(
      StepProtocol::OneMeasured, "GPT3-5B",
      [](const ScoredStep& step) { return step.model == "GPT3-5B"; }, 8);
}

// Goals set beforehand: a median of 13 % and 85 to 95 % of intervals that hold. The tables known at
// that time keep them. A second lot, mostly of other chips, does not, and has a drift alarm. The
// spread of families was chosen knowing these scores (`disclosures`). By stack the goals are not
// met: the scorecard has a row for each.
// The ninth decile over the median tells the tails apart: 2.44 for the sizes of normal
// deviations, 2.77 for those of Student's t with five degrees of freedom.
TEST_CASE("errors of models that were left out have the tails of Student's t") {
  std::vector<double> deviations;
  for (const ScoredStep& step :
       steps_answer(configs, tables_of_steps(configs), StepProtocol::LeftOutModel))
    if (step.skipped_because.empty() && step.trust != "C")
      deviations.push_back(std::abs(std::log(step.measured / step.predicted)) / step.deviation);
  REQUIRE(deviations.size() > 700);
  const double of_t = student_quantile(0.95, 5) / student_quantile(0.75, 5);
  const double of_normal = normal_quantile(0.95) / normal_quantile(0.75);
  const double found = quantile(deviations, 0.9) / quantile(deviations, 0.5);
  CHECK(std::abs(found - of_t) < std::abs(found - of_normal));
}

TEST_CASE("steps of a stack that was never seen are foretold with intervals that hold") {
  CHECK(default_stack == average_stack);  // whose errors scatter normally
  const auto check = [](const std::vector<std::filesystem::path>& tables, double most) {
    std::vector<double> errors;
    double inside = 0;
    for (const ScoredStep& step : steps_answer(configs, tables, StepProtocol::UnknownStack)) {
      if (!step.skipped_because.empty() || step.trust == "C") continue;
      errors.push_back(step.scored().error());
      if (step.scored().intervals->back().contains(step.measured)) ++inside;
    }
    const Accuracy all = accuracy_of(errors);
    CHECK(all.count > 340);
    CHECK(all.median < most);
    const double share = inside / static_cast<double>(all.count);
    CHECK(share >= 0.85);
    CHECK(share <= 0.95);
  };
  check({configs / "measured/steps.csv", configs / "measured/steps-b200.csv",
         configs / "measured/steps-experts.csv"},
        0.13);
  check(tables_of_steps(configs), 0.155);
}
