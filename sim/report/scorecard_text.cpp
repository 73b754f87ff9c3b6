#include <fmt/format.h>

#include "sim/answers/disclosures.hpp"
#include "sim/report/accuracy_table.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/scorecard_report.hpp"

namespace tofn {
inline namespace report {

namespace {

/// Of every score.
std::string disclosures_text() {
  std::string text;
  for (const Disclosure& each : disclosures())
    text += wrapped_words(
        "not blind     ",
        fmt::format("{}{}{}: {}", each.score,
                    each.protocol.empty() ? "" : fmt::format(" {}", each.protocol),
                    each.rows.empty() ? "" : fmt::format(", {}", each.rows), each.sentence));
  return text;
}

}  // namespace

std::string scorecard_text(const std::vector<ScorecardRow>& rows) {
  std::vector<AccuracyColumn> columns = usual_accuracy_columns();
  columns.push_back({"one width", one_width_cell});
  AccuracyTable table("held against measurements", std::move(columns), {"baseline"});
  std::string notes;
  for (const ScorecardRow& row : rows) {
    table.add(row.what, row.accuracy, {row.baseline_mean ? percent(*row.baseline_mean) : "-"});
    if (row.what.find(", ") == std::string::npos || !row.baseline.empty())
      notes += fmt::format("  {}: {}{}\n", row.what, row.of,
                           row.baseline.empty() ? "" : "; baseline: " + row.baseline);
  }
  return table.render() +
         "  errors in %; score of the 90 % intervals, lower is better; one width: were all as wide "
         "as nine of ten of\n  these errors; baseline: mean error\n" +
         notes + disclosures_text();
}

}  // namespace report
}  // namespace tofn
