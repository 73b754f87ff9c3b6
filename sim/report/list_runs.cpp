#include "sim/core/count_text.hpp"
#include "sim/report/list_report.hpp"

namespace tofn {
inline namespace report {

Listing list_runs(std::span<const StatedRun> runs) {
  const TableColumns<StatedRun> columns{
      {"name", &StatedRun::name, left("run")},
      {"model", [](const StatedRun& run) { return run.phases.front().model.name; }, left("model"),
       "network, by its name in models/"},
      {"tokens", &StatedRun::tokens,
       right("tokens", [](double tokens) { return tokens > 0 ? count_text(tokens, 4) : "-"; })},
      {"samples", &StatedRun::samples},
      {"phases", [](const StatedRun& run) { return run.phases.size(); }, right("phases"),
       "number of phases of the run"},
      {"title", &StatedRun::title, left("what it does")}};
  return listing_of(columns, runs);
}

}  // namespace report
}  // namespace tofn
