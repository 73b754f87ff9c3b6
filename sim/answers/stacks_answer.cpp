#include "sim/answers/stacks_answer.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/config/load_kernel_profile.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// Least number of firm steps for a stack of its own; with fewer, it ships with the figures of its
/// family.
constexpr std::ptrdiff_t fewest_steps = 10;

/// Moves of a figure by each step in a fit to all steps, largest first.
std::vector<FigureMove> moves_of(const std::vector<KnownStep>& known,
                                 const std::vector<double>& moved_by) {
  std::vector<FigureMove> moves;
  for (std::size_t i = 0; i < known.size(); ++i) {
    const StepCase& step = known[i].row.step;
    moves.push_back({fmt::format("{} {} {} on {} x {}", known[i].fitted.stack, step.model.name,
                                 to_text(step.model.precision), step.plan.accelerators(),
                                 step.cluster.accelerator.name),
                     moved_by[i]});
  }
  std::ranges::stable_sort(moves, [](const FigureMove& a, const FigureMove& b) {
    return std::abs(a.by) > std::abs(b.by);
  });
  return moves;
}

/// Number of the stack's steps whose sources state all dimensions, or all but one.
std::ptrdiff_t firm_steps(const std::vector<KnownStep>& known, const std::string& stack) {
  return std::ranges::count_if(known, [&](const KnownStep& step) {
    return step.fitted.stack == stack && trust_of(step.row.source) != "C";
  });
}

/// Fits a stack to its own steps if it has enough of them, else to its family's.
FitScope scope_of(const KnownSteps& steps, const KernelProfile& stack) {
  return firm_steps(steps.all(), stack.name) >= fewest_steps ? FitScope::Stack : FitScope::Family;
}

bool learns(const KernelProfile& stack) {
  return stack.name == default_stack || !stack.tables.empty();
}

}  // namespace

std::optional<StackWithout> relearned_without(
    const KnownSteps& known, const KernelProfile& stack,
    const std::function<bool(const StepCaseRow&)>& is_left_out) {
  std::vector<Location> left_out;
  for (const KnownStep& step : known.all())
    if (is_left_out(step.row)) left_out.push_back(step.row.location);
  if (left_out.empty() || !learns(stack)) return {};
  const StackFit fit = known.fit([&](const KnownStep& step) { return !is_left_out(step.row); });
  return StackWithout{.stack = fit.learned(stack, scope_of(known, stack)),
                      .left_out = std::move(left_out)};
}

std::vector<ExplainedStack> explained_stacks(const std::filesystem::path& configs) {
  KnownSteps steps(configs);
  for (const auto& table : tables_of_steps(configs)) steps.read(table, nullptr);
  const StackFit fit = steps.fit([](const auto&) { return true; });
  std::vector<ExplainedStack> explained;
  for (const KernelProfile& stack : steps.stacks()) {
    if (!learns(stack)) continue;
    const FitScope scope = scope_of(steps, stack);
    explained.push_back({.learned = fit.learned(stack, scope), .moves = {}});
    for (std::size_t i = 0; i < stack_figures.size(); ++i)
      explained.back().moves[i] = moves_of(steps.all(), fit.moved_by(stack, i, scope));
  }
  return explained;
}

}  // namespace answers
}  // namespace tofn
