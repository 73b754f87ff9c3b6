#include "sim/answers/disclosures.hpp"
#include "sim/core/name_table.hpp"
#include "sim/core/statistics.hpp"
#include "sim/report/steps_report.hpp"

namespace tofn {
inline namespace report {

Records steps_records(const std::vector<ScoredStep>& steps, StepProtocol protocol) {
  using Step = ScoredStep;
  const auto scored = [](auto figure) {
    return [figure](const Step& s) {
      return s.skipped_because.empty() ? std::optional(figure(s)) : std::nullopt;
    };
  };
  const auto ninety = [](const Step& s) { return s.scored().intervals->back(); };
  const auto measured = [](const Step& s) {
    return s.measured > 0 ? std::optional(s.measured) : std::nullopt;
  };
  const auto of_memory = [](auto figure) {
    return [figure](const Step& s) {
      return s.memory ? std::optional(figure(*s.memory)) : std::nullopt;
    };
  };
  const Columns<Step> columns{
      {"stack", &Step::stack},
      {"model", &Step::model},
      {"accelerator", &Step::accelerator},
      {"precision", &Step::precision},
      {"accelerators", &Step::accelerators},
      {"source", &Step::source},
      {"trust", &Step::trust},
      {"measured_s", measured},
      {"predicted_s", scored([](const Step& s) { return s.predicted; })},
      {"low90_s", scored([=](const Step& s) { return ninety(s).low; })},
      {"high90_s", scored([=](const Step& s) { return ninety(s).high; })},
      {"peak_reading", of_memory([](const ScoredMemory& m) { return m.reading; })},
      {"measured_peak_gb",
       of_memory([](const ScoredMemory& m) { return m.measured.base() / 1e9; })},
      {"predicted_peak_gb",
       of_memory([](const ScoredMemory& m) { return m.predicted.base() / 1e9; })},
      {"skipped_because", [](const Step& s) { return known(s.skipped_because); }},
      {"not_blind",
       [=](const Step& s) { return known(not_blind("steps", name_of(protocol), {s.stack})); }},
      {"peak_not_blind",
       of_memory([](const ScoredMemory&) { return not_blind("memory", "", {}); })}};
  return records_of(columns, steps);
}

}  // namespace report
}  // namespace tofn
