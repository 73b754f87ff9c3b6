#include "sim/page/page.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/core/json.hpp"
#include "sim/core/records.hpp"
#include "sim/page/assets.hpp"

namespace tofn {
inline namespace page {
namespace {

std::string chart_json(const Chart& chart) {
  return fmt::format(R"({{"name":{},"title":{},"reading":{}}})", json_text(chart.name),
                     json_text(chart.title), json_text(chart.reading));
}

/// A JSON list of the items.
template <class Items, class Text>
std::string list_json(const Items& items, const Text& text_of) {
  std::string list = "[";
  for (const auto& item : items) list += (list.size() == 1 ? "" : ",") + text_of(item);
  return list + ']';
}

/// The question that the rows of a table answer if they state one; else the title of its kind.
std::string title_of(const PageTable& table) {
  const std::vector<std::string>& columns = table.records.columns;
  const auto& rows = table.records.rows;
  const auto at = std::ranges::find(columns, "question") - columns.begin();
  if (static_cast<std::size_t>(at) < columns.size() && !rows.empty())
    if (const auto* question = std::get_if<std::string>(&rows[0][static_cast<std::size_t>(at)]))
      return *question;
  return std::string(table.kind->title);
}

std::string table_json(const PageTable& table) {
  const auto row_json = [](const std::vector<Value>& row) { return list_json(row, json_value); };
  return fmt::format(
      R"({{"kind":{},"title":{},"writer":{},"origin":{},"answers":{},"rows_in_all":{},)"
      R"("charts":{},"columns":{},"rows":{}}})",
      json_text(table.kind->name), json_text(title_of(table)), json_text(table.kind->writer),
      json_text(table.origin),
      list_json(table.answers, [](const std::string& text) { return json_text(text); }),
      table.rows_in_all, list_json(charts_of(table), chart_json),
      list_json(table.records.columns, [](const std::string& name) { return json_text(name); }),
      list_json(table.records.rows, row_json));
}

std::string data_json(std::span<const PageTable> tables, std::string_view program) {
  return fmt::format(R"({{"program":{},"tables":{}}})", json_text(program),
                     list_json(tables, table_json));
}

struct Part {
  std::string_view mark;
  std::string text;
};

}  // namespace

std::vector<Chart> charts_of(const PageTable& table) {
  const std::vector<std::string>& columns = table.records.columns;
  const auto& rows = table.records.rows;
  const auto at =
      static_cast<std::size_t>(std::ranges::find(columns, "accelerators") - columns.begin());
  const bool is_one = at < columns.size() && std::ranges::all_of(rows, [&](auto& row) {
                        return row[at] == rows.front()[at];
                      });
  std::vector<Chart> charts;
  for (const Chart& chart : table.kind->charts)
    if (chart.sizes == Sizes::Any || (chart.sizes == Sizes::One) == is_one) charts.push_back(chart);
  return charts;
}

bool has_chart_library() { return !assets::chart_library.empty(); }

std::string for_script(std::string json) {
  for (std::size_t at = json.find('<'); at != std::string::npos; at = json.find('<', at))
    json.replace(at, 1, "\\u003c");
  return json;
}

std::string page_html(std::span<const PageTable> tables, std::string_view program) {
  const std::array parts{Part{"{{style}}", std::string(assets::style)},
                         Part{"{{data}}", for_script(data_json(tables, program))},
                         Part{"{{chart_library}}", std::string(assets::chart_library)},
                         Part{"{{licence}}", std::string(assets::chart_licence)},
                         Part{"{{scripts}}", std::string(assets::scripts)}};
  std::string_view rest = assets::page;
  std::string html;
  for (const Part& part : parts) {  // in order, so that inserted text is not searched
    const std::size_t at = rest.find(part.mark);
    html.append(rest.substr(0, at)).append(part.text);
    rest.remove_prefix(at + part.mark.size());
  }
  return html.append(rest);
}

}  // namespace page
}  // namespace tofn
