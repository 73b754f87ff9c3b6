#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/config/load_kernel_profile.hpp"
#include "sim/kernel/stack_figures.hpp"
#include "sim/report/steps_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {
namespace {

/// A value with the deviation of its logarithm: `0.84 +- 12 %`.
std::string spread_text(double value, double deviation) {
  return fmt::format("{:.3g} +- {:.0f} %", value, 100 * deviation);
}

std::vector<std::string> cells_of(const KernelProfile& stack, std::size_t index) {
  const StackFigure& figure = stack_figures[index];
  const double variance = stack.uncertainty.covariance[index * (stack_figures.size() + 1)];
  return {stack.name, fmt::format("{}", stack.steps), std::string(figure.key),
          spread_text(figure.value(stack), std::sqrt(variance)),
          spread_text(figure.usual, std::hypot(figure.all, figure.family, figure.stack))};
}

std::vector<TextTable::Column> stacks_table_columns() {
  return {{"stack", Align::Left}, {"steps"}, {"figure", Align::Left}, {"fitted"}, {"before"}};
}

/// True if the figure is printed; figures of architectures are equal in every stack and printed
/// once.
bool is_shown(const KernelProfile& stack, std::size_t figure) {
  return !stack_figures[figure].on || stack.name == default_stack;
}

/// Largest moves: `+2.1 % nemo Llama3.1-8B bf16 on 8 x H100 SXM; ...`.
std::string moves_text(const std::vector<FigureMove>& moves) {
  constexpr std::size_t most = 3;
  constexpr double least = 0.0005;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, moves.size()); ++i)
    if (std::abs(moves[i].by) >= least)
      text +=
          fmt::format("{}{:+.1f} % {}", text.empty() ? "" : "; ", 100 * moves[i].by, moves[i].step);
  return text;
}

}  // namespace

std::string stacks_text(const std::vector<KernelProfile>& stacks) {
  TextTable table(stacks_table_columns());
  for (const KernelProfile& stack : stacks)
    for (std::size_t i = 0; i < stack_figures.size(); ++i)
      if (is_shown(stack, i)) table.add(cells_of(stack, i));
  return table.render();
}

std::string explained_text(const std::vector<ExplainedStack>& stacks) {
  auto heads = stacks_table_columns();
  heads.push_back({"moved most by", Align::Left});
  TextTable table(std::move(heads));
  for (const ExplainedStack& stack : stacks)
    for (std::size_t i = 0; i < stack_figures.size(); ++i) {
      if (!is_shown(stack.learnt, i)) continue;
      auto cells = cells_of(stack.learnt, i);
      cells.push_back(moves_text(stack.moves[i]));
      table.add(std::move(cells));
    }
  return table.render() +
         "fitted, before: the figure and the standard deviation of its logarithm; moved: the "
         "shares "
         "that steps had\nin the fit, whose sum over all steps it is\n";
}

}  // namespace report
}  // namespace tofn
