#include <fmt/format.h>

#include "sim/answers/disclosures.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/scorecard_report.hpp"
#include "sim/report/text_table.hpp"

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
  TextTable table({{"held against measurements", Align::Left},
                   {"n"},
                   {"mean"},
                   {"median"},
                   {"bias"},
                   {"in 50 %"},
                   {"80 %"},
                   {"90 %"},
                   {"half-width"},
                   {"score"},
                   {"one width"},
                   {"baseline"}});
  std::string notes;
  for (const ScorecardRow& row : rows) {
    const Accuracy& a = row.accuracy;
    std::vector<std::string> cells{row.what, fmt::format("{}", a.count), percent(a.mean),
                                   percent(a.median), signed_percent(a.bias)};
    const auto held = [&](auto text) { cells.push_back(a.held ? text(*a.held) : "-"); };
    for (std::size_t i = 0; i < coverages.size(); ++i)
      held([&](const Held& h) { return percent(h.shares[i]); });
    held([](const Held& h) { return percent(h.half_width); });
    held([](const Held& h) { return fmt::format("{:.2f}", h.score); });
    held([](const Held& h) { return fmt::format("{:.2f}", h.score_of_one_width); });
    cells.push_back(row.baseline_mean ? percent(*row.baseline_mean) : "-");
    table.add(std::move(cells));
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
