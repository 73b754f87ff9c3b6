#include <fmt/format.h>

#include "sim/report/step_record_report.hpp"

namespace tofn {
inline namespace report {

Records step_record_records(const std::vector<ScaledRun>& runs, int ranks) {
  using Run = ScaledRun;
  Columns<Run> columns{
      {"workload", [](const Run& r) { return r.alone.workload; }},
      {"ranks", [=](const Run&) { return ranks; }},
      {"alone_s", [](const Run& r) { return r.alone.time.base(); }},
      {"all_reduce_s", [](const Run& r) { return r.part(StepPart::Data).base(); }},
      {"imbalance_s", [](const Run& r) { return r.part(StepPart::Imbalance).base(); }},
      {"predicted_s", [](const Run& r) { return r.predicted.times.total.base(); }},
      {"low_s", [](const Run& r) { return r.predicted.seconds.low; }},
      {"high_s", [](const Run& r) { return r.predicted.seconds.high; }}};
  for (std::size_t i = 0; i < reduction_overlaps.size(); ++i) {
    columns.emplace_back(
        fmt::format("overlap_{}_measured_s", reduction_overlaps[i]), [i](const Run& r) {
          return r.measured.empty() ? std::nullopt : std::optional(r.measured[i].time.base());
        });
    columns.emplace_back(fmt::format("overlap_{}_error_percent", reduction_overlaps[i]),
                         [i](const Run& r) {
                           return r.measured.empty() ? std::nullopt : std::optional(r.error(i));
                         });
  }
  return records_of(columns, runs);
}

}  // namespace report
}  // namespace tofn
