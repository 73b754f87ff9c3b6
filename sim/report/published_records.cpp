#include "sim/answers/disclosures.hpp"
#include "sim/report/published_report.hpp"

namespace tofn {
inline namespace report {

Records published_records(const std::vector<ScoredRun>& runs, std::string_view protocol) {
  using Run = ScoredRun;
  const auto scored = [](auto figure) {
    return [figure](const Run& r) {
      return r.skipped_because.empty() ? std::optional(figure(r.time)) : std::nullopt;
    };
  };
  const Columns<Run> columns{
      {"benchmark", &Run::benchmark},
      {"org", &Run::organisation},
      {"system", &Run::system},
      {"accelerator", &Run::accelerator},
      {"accelerators", &Run::accelerators},
      {"source", &Run::table},
      {"measured_s",
       [](const Run& r) {
         return r.time.measured > 0 ? std::optional(r.time.measured) : std::nullopt;
       }},
      {"predicted_s", scored([](const Scored& s) { return s.predicted; })},
      {"low90_s", scored([](const Scored& s) { return s.intervals->back().low; })},
      {"high90_s", scored([](const Scored& s) { return s.intervals->back().high; })},
      {"linear_s", [](const Run& r) { return r.linear; }},
      {"skipped_because", [](const Run& r) { return known(r.skipped_because); }},
      {"contradiction", [](const Run& r) { return known(r.contradiction); }},
      {"not_blind",
       [=](const Run& r) { return known(not_blind("published", protocol, {r.benchmark})); }}};
  return records_of(columns, runs);
}

}  // namespace report
}  // namespace tofn
