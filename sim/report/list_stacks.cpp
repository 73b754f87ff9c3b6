#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "sim/config/load_kernel_profile.hpp"
#include "sim/core/name_table.hpp"
#include "sim/kernel/stack_figures.hpp"
#include "sim/report/list_report.hpp"

namespace tofn {
inline namespace report {
namespace {

std::string cell(const KernelProfile& stack, std::size_t figure) {
  const std::string value = fmt::format("{:.3g}", stack_figures[figure].value(stack));
  const auto spread = deviation_of(stack, figure);
  return spread ? fmt::format("{} {:.0f}%", value, 100 * *spread) : value;
}

/// Heads of the figures that hold on every architecture, in the order of `stack_figures`.
struct FigureHead {
  const char* head;
  const char* meaning;
};
constexpr std::array figure_heads{
    FigureHead{"products", "share of the peak that matrix products get"},
    FigureHead{"fp8", ""},
    FigureHead{"misaligned", "loss of products on tiles that they do not fill"},
    FigureHead{"unaligned", "loss of products on sizes that are not of whole tiles"},
    FigureHead{"heads", ""},
    FigureHead{"mixtures", "loss of mixtures of experts"},
    FigureHead{"attention", "share of the bandwidth or of the peak that attention gets"},
    FigureHead{"traffic", "bytes of other kernels"},
    FigureHead{"start us", "time to start a kernel"},
    FigureHead{"overlap", ""},
    FigureHead{"fp8 bytes", "bytes that FP8 products read and write"},
    FigureHead{"host us", "time of the host to start an operator"},
    FigureHead{"mixture host", "launches of the host for experts over those of others"},
    FigureHead{"exchange", "time of exchanges between experts over their formulas'"},
    FigureHead{"eager", "launches and traffic of operators that no compiler fused"}};

TableColumns<KernelProfile> stack_columns() {
  using Row = KernelProfile;
  TableColumns<Row> columns{
      {"name", &Row::name, left("stack")},
      {"family", &Row::family, left("family"), "stacks that learn from one another"},
      {"steps", &Row::steps, right("steps"), "measured steps that it is fitted to"},
      {"description", &Row::description, "a line for people"}};
  const auto* head = figure_heads.begin();
  for (std::size_t i = 0; i < stack_figures.size(); ++i) {
    const std::string key(stack_figures[i].key);
    columns.push_back({key, stack_figures[i].value});
    columns.push_back(
        {key + "_deviation", [i](const Row& stack) { return deviation_of(stack, i); }});
    if (stack_figures[i].on) continue;
    const auto in_microseconds = [i](const Row& stack) {
      Row shown = stack;
      shown.kernel_start.value *= 1e6;
      shown.host_per_kernel.value *= 1e6;
      return cell(shown, i);
    };
    columns.push_back(TableColumn<Row>(right(head->head, in_microseconds), head->meaning));
    ++head;
  }
  return columns;
}

/// Factors that all stacks share, in the order of the table: `volta 1.02 7%, ampere ...`.
std::string architectures_text(const KernelProfile& stack) {
  std::string text;
  for (std::size_t i = 0; i < stack_figures.size(); ++i)
    if (const auto& on = stack_figures[i].on)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name_of(*on), cell(stack, i));
  return text;
}

}  // namespace

Listing list_stacks(std::span<const KernelProfile> stacks) {
  const auto typical =
      std::ranges::find_if(stacks, [](const auto& stack) { return stack.name == default_stack; });
  const std::string shared =
      typical == stacks.end()
          ? ""
          : "products on chips, beside that, in the mean: " + architectures_text(*typical) + "\n";
  return listing_of(
      stack_columns(), stacks,
      "each figure with its standard deviation (configs/README.md, A stack); steps: measured ones "
      "that it is fitted to, 0: none, or too few, so that it has its family's figures\n" +
          shared);
}

}  // namespace report
}  // namespace tofn
