#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/config/load_kernel_profile.hpp"
#include "sim/core/name_table.hpp"
#include "sim/kernel/stack_figures.hpp"
#include "sim/report/list_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {
namespace {

/// Relative, one standard deviation; nothing where no step taught the stack.
std::optional<double> deviation(const KernelProfile& stack, std::size_t figure) {
  if (stack.uncertainty.covariance.empty()) return {};
  return std::sqrt(stack.uncertainty.covariance[figure * (stack_figures.size() + 1)]);
}

Columns<KernelProfile> stack_columns() {
  Columns<KernelProfile> columns{{"name", &KernelProfile::name},
                                 {"family", &KernelProfile::family},
                                 {"steps", &KernelProfile::steps},
                                 {"description", &KernelProfile::description}};
  for (std::size_t i = 0; i < stack_figures.size(); ++i) {
    const std::string key(stack_figures[i].key);
    columns.push_back({key, stack_figures[i].value});
    columns.push_back(
        {key + "_deviation", [i](const KernelProfile& stack) { return deviation(stack, i); }});
  }
  return columns;
}

std::string cell(const KernelProfile& stack, std::size_t figure) {
  const std::string value = fmt::format("{:.3g}", stack_figures[figure].value(stack));
  const auto spread = deviation(stack, figure);
  return spread ? fmt::format("{} {:.0f}%", value, 100 * *spread) : value;
}

/// What all stacks share: `volta 1.02 7%, ampere ...`, in the order of the table.
std::string architectures_text(const KernelProfile& stack) {
  std::string text;
  for (std::size_t i = 0; i < stack_figures.size(); ++i)
    if (const auto& on = stack_figures[i].on)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name_of(*on), cell(stack, i));
  return text;
}

}  // namespace

Listing list_stacks(std::span<const KernelProfile> stacks) {
  std::vector<TextTable::Column> columns{
      {"stack", Align::Left}, {"family", Align::Left}, {"steps"}};
  for (const char* head :
       {"products", "fp8", "misaligned", "unaligned", "heads", "mixtures", "attention", "traffic",
        "start us", "overlap", "fp8 bytes", "host us", "mixture host", "exchange", "eager"})
    columns.push_back({head});
  TextTable table(std::move(columns));
  for (const KernelProfile& stack : stacks) {
    std::vector<std::string> cells{stack.name, stack.family, fmt::format("{}", stack.steps)};
    for (std::size_t i = 0; i < stack_figures.size(); ++i) {
      KernelProfile shown = stack;
      shown.kernel_start.value *= 1e6;
      shown.host_per_kernel.value *= 1e6;
      if (!stack_figures[i].on) cells.push_back(cell(shown, i));
    }
    table.add(std::move(cells));
  }
  const auto usual = std::find_if(stacks.begin(), stacks.end(),
                                  [](const auto& stack) { return stack.name == default_stack; });
  const std::string shared =
      usual == stacks.end()
          ? ""
          : "products on chips, beside that, in the mean: " + architectures_text(*usual) + "\n";
  return {.text = table.render() +
                  "each figure with its standard deviation (configs/README.md, A stack); steps: "
                  "measured ones that it is fitted to, 0: none, or too few, so that it has its "
                  "family's figures\n" +
                  shared,
          .records = records_of(stack_columns(), stacks)};
}

}  // namespace report
}  // namespace tofn
