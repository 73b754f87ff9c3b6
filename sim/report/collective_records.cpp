#include "sim/core/bus_factor.hpp"
#include "sim/core/name_table.hpp"
#include "sim/report/collective_report.hpp"

namespace tofn {
inline namespace report {

std::string library_of(const TimedAlgorithm& each) {
  return std::string(name_in(library_names, each.algorithm->library));
}

std::string protocol_of(const TimedAlgorithm& each) {
  const auto& protocol = each.algorithm->protocol;
  return protocol ? std::string(name_in(protocol_names, *protocol)) : "";
}

double bus_bandwidth_gb_s(const TimedAlgorithm& each, const CollectiveRequest& asked) {
  const std::string kind(name_in(collective_kinds, asked.kind));
  return (asked.size / each.time).base() / 1e9 *
         bus_factor(kind, asked.communicator.ranks).value_or(1);
}

Records collective_records(const CollectiveAnswer& answer) {
  using Row = TimedAlgorithm;
  const CollectiveRequest& asked = answer.asked;
  const Columns<Row> columns{
      {"algorithm", [](const Row& r) { return r.algorithm->name; }},
      {"protocol", protocol_of},
      {"library", library_of},
      {"time_us", [](const Row& r) { return r.time.base() * 1e6; }},
      {"bus_bandwidth_gb_s", [&](const Row& r) { return bus_bandwidth_gb_s(r, asked); }},
      {"over_fastest", &Row::over},
      {"basis", [&](const Row&) { return asked.communicator.basis; }},
      {"calibration", [&](const Row&) { return known(asked.calibration); }},
      {"calibrated_us", [&](const Row&) {
         return answer.measured ? std::optional(answer.measured->cost.time.base() * 1e6)
                                : std::nullopt;
       }}};
  std::vector<Row> rows = answer.own;
  rows.insert(rows.end(), answer.others.begin(), answer.others.end());
  return records_of(columns, rows);
}

}  // namespace report
}  // namespace tofn
