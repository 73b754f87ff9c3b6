#include <cmath>

#include <fmt/format.h>

#include "sim/kernel/stack_figures.hpp"
#include "sim/report/steps_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {
namespace {

/// `0.84 +- 12 %`: a value and the deviation of its logarithm.
std::string spread_text(double value, double deviation) {
  return fmt::format("{:.3g} +- {:.0f} %", value, 100 * deviation);
}

}  // namespace

std::string stacks_text(const std::vector<KernelProfile>& stacks) {
  TextTable table(
      {{"stack", Align::Left}, {"steps"}, {"figure", Align::Left}, {"learnt"}, {"before"}});
  for (const KernelProfile& stack : stacks)
    for (std::size_t i = 0; i < stack_figures.size(); ++i) {
      const StackFigure& figure = stack_figures[i];
      const double variance = stack.doubt.covariance[i * (stack_figures.size() + 1)];
      table.add({stack.name, fmt::format("{}", stack.steps), std::string(figure.key),
                 spread_text(figure.value(stack), std::sqrt(variance)),
                 spread_text(figure.usual, std::hypot(figure.all, figure.family, figure.stack))});
    }
  return table.render();
}

}  // namespace report
}  // namespace tofn
