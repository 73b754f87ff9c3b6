#include "sim/core/statistics.hpp"
#include "sim/report/steps_report.hpp"

namespace tofn {
inline namespace report {

Records steps_records(const std::vector<ScoredStep>& steps) {
  using Step = ScoredStep;
  const auto scored = [](auto figure) {
    return [figure](const Step& s) {
      return s.skipped_because.empty() ? std::optional(figure(s)) : std::nullopt;
    };
  };
  constexpr double ends = ninety_percent_deviations;
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
      {"low90_s", scored([](const Step& s) { return s.end(-ends); })},
      {"high90_s", scored([](const Step& s) { return s.end(ends); })},
      {"peak_reading", of_memory([](const ScoredMemory& m) { return m.reading; })},
      {"measured_peak_gb",
       of_memory([](const ScoredMemory& m) { return m.measured.base() / 1e9; })},
      {"predicted_peak_gb",
       of_memory([](const ScoredMemory& m) { return m.predicted.base() / 1e9; })},
      {"skipped_because", [](const Step& s) { return known(s.skipped_because); }}};
  return records_of(columns, steps);
}

}  // namespace report
}  // namespace tofn
