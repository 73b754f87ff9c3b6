#include <fmt/format.h>

#include "sim/report/step_record_report.hpp"

namespace tofn {

Records step_record_records(const std::vector<ScaledRun>& runs, int ranks) {
  Records records{.columns = {"workload", "ranks", "alone_s", "all_reduce_s", "imbalance_s",
                              "predicted_s", "low_s", "high_s"},
                  .rows = {}};
  for (const std::string_view overlap : reduction_overlaps)
    for (const char* what : {"measured_s", "error_percent"})
      records.columns.push_back(fmt::format("overlap_{}_{}", overlap, what));
  for (const ScaledRun& run : runs) {
    auto& row = records.rows.emplace_back();
    row = {run.alone.workload,
           static_cast<long long>(ranks),
           run.alone.time.base(),
           run.part(StepPart::Data).base(),
           run.part(StepPart::Imbalance).base(),
           run.predicted.times.total.base(),
           run.predicted.seconds.low,
           run.predicted.seconds.high};
    row.resize(records.columns.size());
    for (std::size_t i = 0; i < run.measured.size(); ++i) {
      row[8 + 2 * i] = run.measured[i].time.base();
      row[9 + 2 * i] = run.error(i);
    }
  }
  return records;
}

}  // namespace tofn
