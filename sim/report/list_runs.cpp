#include "sim/core/count_text.hpp"
#include "sim/report/list_report.hpp"

namespace tofn {
inline namespace report {

Listing list_runs(std::span<const RunFile> runs) {
  const TableColumns<RunFile> columns{
      {"name", &RunFile::name, left("run")},
      {"model", [](const RunFile& run) { return run.phases.front().model.name; }, left("model"),
       "network, by its name in models/"},
      {"tokens", &RunFile::tokens,
       right("tokens", [](double tokens) { return tokens > 0 ? count_text(tokens, 4) : "-"; })},
      {"samples", &RunFile::samples},
      {"phases", [](const RunFile& run) { return run.phases.size(); }, right("phases"),
       "of the run"},
      {"title", &RunFile::title, left("what it does")}};
  return listing_of(columns, runs);
}

}  // namespace report
}  // namespace tofn
