#include "sim/measurements/stated_placement.hpp"
#include "sim/report/validate_report.hpp"

namespace tofn {

Records validate_records(const std::vector<ScoredRow>& rows) {
  Records records{.columns = {"file", "collective", "ranks", "nodes", "size", "measured_us",
                              "predicted_us", "low_us", "high_us", "basis", "beyond",
                              "calibrated_nodes", "fault", "laboratory", "taught"},
                  .rows = {}};
  const auto count = [](int value) { return Value{static_cast<long long>(value)}; };
  const auto microseconds = [](Seconds time) { return Value{time.base() * 1e6}; };
  const auto known = [](const std::string& text) { return text.empty() ? Value{} : Value{text}; };
  for (const ScoredRow& row : rows)
    records.rows.push_back(
        {row.file, std::string(collective_name(row.collective)), count(row.ranks), count(row.nodes),
         static_cast<long long>(row.size.base()), microseconds(row.measured),
         microseconds(row.predicted), microseconds(row.low), microseconds(row.high),
         std::string(to_text(row.basis)), row.beyond, count(row.calibrated_nodes), known(row.fault),
         known(row.laboratory), known(row.taught)});
  return records;
}

}  // namespace tofn
