#include "sim/report/repeat_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/records.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {
namespace {

std::string short_cell(const Value& value) {
  std::string text;
  append_csv_cell(text, value);
  return text.empty() ? "-" : fitted(text, 40);
}

TableColumns<ChangedFigure> changed_columns() {
  using Row = ChangedFigure;
  return {{"row", &Row::row, right("row"), "row of the answer, from 1"},
          {"figure", &Row::figure, left("figure"), "name of a column"},
          {"before", &Row::before, right("then", [](const Row& r) { return short_cell(r.before); }),
           "figure as it was written"},
          {"now", &Row::now, right("now", [](const Row& r) { return short_cell(r.now); }),
           "figure as it is now"},
          {"change", &Row::change, right("%", signed_percent),
           "change of the figure since it was written"}};
}

}  // namespace

std::string repeat_text(const RepeatAnswer& answer) {
  std::string text = fmt::format("tofn {}\n", fmt::join(answer.before.command, " "));
  text +=
      fmt::format("then          tofn {} ({})\nnow           tofn {} ({})\n", answer.before.version,
                  answer.before.commit, answer.now.version, answer.now.commit);
  text += note("files",
               fmt::format("{}", answer.files.empty()
                                     ? "as they were"
                                     : fmt::format("changed: {}", fmt::join(answer.files, ", "))));
  if (answer.rows_before != answer.rows_now)
    text += note("rows", fmt::format("{} then, {} now", answer.rows_before, answer.rows_now));
  text += note("figures", fmt::format("{} of {} as they were",
                                      answer.figures - answer.changed.size(), answer.figures));
  if (answer.changed.empty()) return text;
  return text + '\n' + table_text(changed_columns(), answer.changed);
}

ExplainedRecords repeat_records(const RepeatAnswer& answer) {
  return records_of(changed_columns(), answer.changed);
}

}  // namespace report
}  // namespace tofn
