#include "sim/library/figure_meanings.hpp"

#include <algorithm>
#include <map>
#include <variant>

#include "sim/report/list_report.hpp"

namespace tofn {
namespace {

std::map<std::string, FigureMeaning> read_meanings() {
  const Records figures = list_figures().records;
  const auto index = [&](const char* column) {
    return std::ranges::find(figures.columns, column) - figures.columns.begin();
  };
  const auto name = index("figure"), unit = index("unit"), meaning = index("meaning");
  const auto text = [](const Value& cell) {
    const auto* words = std::get_if<std::string>(&cell);
    return words != nullptr ? *words : std::string{};
  };
  std::map<std::string, FigureMeaning> all;
  for (const auto& row : figures.rows) {
    const auto cells = row.begin();
    all[text(cells[name])] = {.unit = text(cells[unit]), .meaning = text(cells[meaning])};
  }
  return all;
}

}  // namespace

const FigureMeaning& meaning_of_figure(const std::string& name) {
  static const std::map<std::string, FigureMeaning> all = read_meanings();
  static const FigureMeaning nothing;
  const auto found = all.find(name);
  return found == all.end() ? nothing : found->second;
}

}  // namespace tofn
