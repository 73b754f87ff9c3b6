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
  const auto ninety = [](const Step& s) { return s.scored().intervals->back(); };
  const auto measured = [](const Step& s) {
    return s.measured > 0 ? std::optional(s.measured) : std::nullopt;
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
      {"skipped_because", [](const Step& s) { return known(s.skipped_because); }}};
  return records_of(columns, steps);
}

}  // namespace report
}  // namespace tofn
