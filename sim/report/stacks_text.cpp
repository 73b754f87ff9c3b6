#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/config/load_kernel_profile.hpp"
#include "sim/kernel/stack_figures.hpp"
#include "sim/report/steps_report.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {
namespace {

/// A value with the deviation of its logarithm: `0.84 +- 12 %`.
std::string spread_text(double value, double deviation) {
  return fmt::format("{:.3g} +- {:.0f} %", value, 100 * deviation);
}

/// A figure of a stack.
struct StackRow {
  const KernelProfile& stack;
  std::size_t index;
  const ExplainedStack* explained = nullptr;

  const StackFigure& figure() const { return stack_figures[index]; }
  /// Figures of architectures are equal in every stack and printed once.
  bool is_shown() const { return !figure().on || stack.name == default_stack; }
};

TableColumns<StackRow> stacks_table_columns() {
  using Row = StackRow;
  return {left("stack", [](const Row& r) { return r.stack.name; }),
          right("steps", [](const Row& r) { return r.stack.steps; }),
          left("figure", [](const Row& r) { return r.figure().key; }),
          right("fitted",
                [](const Row& r) {
                  return spread_text(r.figure().value(r.stack), *deviation_of(r.stack, r.index));
                }),
          right("before", [](const Row& r) {
            const StackFigure& of = r.figure();
            return spread_text(of.typical, std::hypot(of.all, of.family, of.stack));
          })};
}

void add_rows(std::vector<StackRow>& rows, const KernelProfile& stack,
              const ExplainedStack* explained = nullptr) {
  for (std::size_t i = 0; i < stack_figures.size(); ++i)
    if (const StackRow row{stack, i, explained}; row.is_shown()) rows.push_back(row);
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
  std::vector<StackRow> rows;
  for (const KernelProfile& stack : stacks) add_rows(rows, stack);
  return table_text(stacks_table_columns(), rows);
}

std::string explained_text(const std::vector<ExplainedStack>& stacks) {
  std::vector<StackRow> rows;
  for (const ExplainedStack& stack : stacks) add_rows(rows, stack.learned, &stack);
  auto columns = stacks_table_columns();
  columns.push_back(left(
      "moved most by", [](const StackRow& r) { return moves_text(r.explained->moves[r.index]); }));
  return table_text(columns, rows) +
         "fitted, before: the figure and the standard deviation of its logarithm; moved: the "
         "shares "
         "that steps had\nin the fit, whose sum over all steps it is\n";
}

}  // namespace report
}  // namespace tofn
