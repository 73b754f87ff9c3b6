#include "sim/report/notes.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/answers/disclosures.hpp"
#include "sim/parallelism/placed_plan.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/report/line_width.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

std::string placement_text(const Plan& plan, const Cluster& cluster) {
  const std::string words = placement_words(plan, cluster);
  return words.empty() ? words : note("placement", words + " accelerators of a domain");
}

std::string note(std::string_view label, std::string_view text) {
  return fmt::format("{:<{}}{}\n", label, label_width, text);
}

std::string listed_note(std::string_view label, const std::vector<std::string>& items,
                        std::string_view separator) {
  return note(label, fmt::format("{}", fmt::join(items, fmt::format("{} ", separator))));
}

std::string plans_table(const std::vector<std::pair<int, const Plan*>>& plans) {
  using Row = std::pair<int, const Plan*>;
  const TableColumns<Row> columns{right("N", &Row::first), left("plan", [](const Row& row) {
                                    return plan_words(*row.second);
                                  })};
  return table_text(columns, plans);
}

std::string substitutions_text(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& each : sentences) text += note(text.empty() ? "assumed" : "", each);
  return text;
}

std::string rows_of(const Disclosure& each) {
  return fmt::format("{}{}{}", each.score,
                     each.protocol.empty() ? "" : fmt::format(" {}", each.protocol),
                     each.rows.empty() ? "" : fmt::format(", {}", each.rows));
}

std::string all_disclosures_text() {
  std::string text;
  for (const Disclosure& each : disclosures())
    text += note("in-sample", fmt::format("{}: {}", rows_of(each), each.sentence));
  return text;
}

std::string disclosed_text(std::string_view score, std::string_view protocol,
                           const std::vector<std::string>& shown) {
  std::string text;
  for (const Disclosure& each : disclosures_of(score, protocol)) {
    const bool is_shown =
        each.rows.empty() || shown.empty() || std::ranges::find(shown, each.rows) != shown.end();
    if (!is_shown) continue;
    const std::string rows = each.rows.empty() ? "" : fmt::format("{}: ", each.rows);
    text += note("in-sample", fmt::format("{}{}", rows, each.sentence));
  }
  return text;
}

}  // namespace report
}  // namespace tofn
