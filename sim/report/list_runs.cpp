#include <fmt/format.h>

#include "sim/core/count_text.hpp"
#include "sim/report/list_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {

Listing list_runs(std::span<const RunFile> runs) {
  TextTable table({{"run", Align::Left},
                   {"model", Align::Left},
                   {"tokens"},
                   {"phases"},
                   {"what it does", Align::Left}});
  const auto model = [](const RunFile& run) { return run.phases.front().model.name; };
  const auto phases = [](const RunFile& run) { return run.phases.size(); };
  for (const RunFile& run : runs)
    table.add({run.name, model(run), run.tokens() > 0 ? count_text(run.tokens(), 4) : "-",
               fmt::format("{}", phases(run)), run.title});
  const Columns<RunFile> columns{{"name", &RunFile::name},     {"model", model},
                                 {"tokens", &RunFile::tokens}, {"samples", &RunFile::samples},
                                 {"phases", phases},           {"title", &RunFile::title}};
  return {.text = table.render(), .records = records_of(columns, runs)};
}

}  // namespace report
}  // namespace tofn
