#include "sim/answers/disclosures.hpp"
#include "sim/measurements/stated_placement.hpp"
#include "sim/report/validate_report.hpp"

namespace tofn {
inline namespace report {

Records validate_records(const ScoringProtocol& protocol, const std::vector<ScoredRow>& rows) {
  using Row = ScoredRow;
  const auto microseconds = [](Seconds time) { return time.base() * 1e6; };
  const Columns<Row> columns{
      {"file", &Row::file},
      {"collective", of_its(&Row::collective, collective_name)},
      {"ranks", &Row::ranks},
      {"nodes", &Row::nodes},
      {"size", [](const Row& r) { return static_cast<long long>(r.size.base()); }},
      {"measured_us", of_its(&Row::measured, microseconds)},
      {"predicted_us", of_its(&Row::predicted, microseconds)},
      {"low_us", of_its(&Row::low, microseconds)},
      {"high_us", of_its(&Row::high, microseconds)},
      {"basis", &Row::basis},
      {"beyond", &Row::beyond},
      {"calibrated_nodes", &Row::calibrated_nodes},
      {"fault", of_its(&Row::fault, known)},
      {"laboratory", of_its(&Row::laboratory, known)},
      {"taught", of_its(&Row::taught, known)},
      {"not_blind",
       [&](const Row&) { return known(not_blind("collectives", protocol.name, {})); }}};
  return records_of(columns, rows);
}

}  // namespace report
}  // namespace tofn
