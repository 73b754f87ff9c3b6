#include "sim/report/repeat_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/records.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {
namespace {

std::string cell_text(const Value& value) {
  std::string text;
  append_csv_cell(text, value);
  return text.empty() ? "-" : fitted(text, 40);
}

}  // namespace

std::string repeat_text(const RepeatAnswer& answer) {
  std::string text = fmt::format("tofn {}\n", fmt::join(answer.before.command, " "));
  text +=
      fmt::format("then          tofn {} ({})\nnow           tofn {} ({})\n", answer.before.version,
                  answer.before.commit, answer.now.version, answer.now.commit);
  text +=
      fmt::format("files         {}\n",
                  answer.files.empty() ? "as they were"
                                       : fmt::format("changed: {}", fmt::join(answer.files, ", ")));
  if (answer.rows_before != answer.rows_now)
    text += fmt::format("rows          {} then, {} now\n", answer.rows_before, answer.rows_now);
  text += fmt::format("figures       {} of {} as they were\n",
                      answer.figures - answer.changed.size(), answer.figures);
  if (answer.changed.empty()) return text;
  TextTable table({{"row"}, {"figure", Align::Left}, {"then"}, {"now"}, {"%"}});
  for (const ChangedFigure& each : answer.changed)
    table.add({fmt::format("{}", each.row), each.figure, cell_text(each.before),
               cell_text(each.now), each.change() ? signed_percent(*each.change()) : "-"});
  return text + '\n' + table.render();
}

Records repeat_records(const RepeatAnswer& answer) {
  return records_of<ChangedFigure>({{"row", &ChangedFigure::row},
                                    {"figure", &ChangedFigure::figure},
                                    {"before", &ChangedFigure::before},
                                    {"now", &ChangedFigure::now},
                                    {"change", &ChangedFigure::change}},
                                   answer.changed);
}

}  // namespace report
}  // namespace tofn
