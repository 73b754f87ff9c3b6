#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/report/sweep_report.hpp"
#include "sim/report/text_table.hpp"
#include "sim/sweep/columns.hpp"

namespace tofn {
inline namespace report {
namespace {

constexpr std::size_t most_rows_shown = 60;

std::string sweep_cell_text(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) {
    const bool is_whole = *number == std::floor(*number) && std::abs(*number) < 1e12;
    const bool has_no_use_for_more = std::abs(*number) >= 1000 && std::abs(*number) < 1e12;
    return is_whole || has_no_use_for_more ? fmt::format("{:.0f}", *number)
                                           : fmt::format("{:.4g}", *number);
  }
  if (const auto* whole = std::get_if<long long>(&value)) return fmt::format("{}", *whole);
  const auto* text = std::get_if<std::string>(&value);
  return text == nullptr ? "" : *text;
}

/// Marks rows of plans that the memory does not hold.
bool says_unfit(const std::string& column, const Value& value) {
  const auto* fits = std::get_if<long long>(&value);
  return fits != nullptr && *fits == 0 &&
         std::find(fits_columns.begin(), fits_columns.end(), column) != fits_columns.end();
}

}  // namespace

std::string sweep_text(const std::string& title, const Records& records,
                       const std::string& summary) {
  std::vector<TextTable::Column> columns;
  for (std::size_t c = 0; c < records.columns.size(); ++c) {
    const bool is_text =
        !records.rows.empty() && std::holds_alternative<std::string>(records.rows.front()[c]);
    columns.push_back({records.columns[c], is_text ? Align::Left : Align::Right});
  }
  TextTable table(columns);
  const std::size_t shown = std::min(most_rows_shown, records.rows.size());
  for (std::size_t r = 0; r < shown; ++r) {
    std::vector<std::string> cells;
    for (std::size_t c = 0; c < records.columns.size(); ++c)
      cells.push_back(sweep_cell_text(records.rows[r][c]) +
                      (says_unfit(records.columns[c], records.rows[r][c]) ? "!" : ""));
    table.add(std::move(cells));
  }
  std::string text = title + "\n\n" + table.render();
  if (shown < records.rows.size())
    text += fmt::format("{} rows more: -o FILE keeps all\n", records.rows.size() - shown);
  return text + "\n" + summary + "\n";
}

}  // namespace report
}  // namespace tofn
