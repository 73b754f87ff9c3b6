#include "sim/core/bus_factor.hpp"
#include "sim/measurements/stated_placement.hpp"
#include "sim/report/collective_check_report.hpp"

namespace tofn {
inline namespace report {
namespace {

Columns<JudgedRow> columns() {
  using Row = JudgedRow;
  const auto scored = [](auto figure) { return of_its(&Row::scored, figure); };
  const auto scored_us = [&](auto time) {
    return scored([time](const ScoredRow& r) { return (r.*time).base() * 1e6; });
  };
  const auto peers_us = [](auto time) {
    return of_its(&Row::peers, [time](const PeerTimes& p) { return (p.*time).base() * 1e6; });
  };
  return {
      {"file", scored(&ScoredRow::file)},
      {"collective", scored(of_its(&ScoredRow::collective, collective_name))},
      {"ranks", scored(&ScoredRow::ranks)},
      {"nodes", scored(&ScoredRow::nodes)},
      {"size", scored([](const ScoredRow& r) { return static_cast<long long>(r.size.base()); })},
      {"measured_us", scored_us(&ScoredRow::measured)},
      {"bus_bandwidth_gb_s", scored(measured_bus_bandwidth)},
      {"predicted_us", scored_us(&ScoredRow::predicted)},
      {"low_us", scored_us(&ScoredRow::low)},
      {"high_us", scored_us(&ScoredRow::high)},
      {"similar_tables", [](const Row& r) { return r.peers ? r.peers->tables : 0; }},
      {"similar_median_us", peers_us(&PeerTimes::median)},
      {"similar_least_us", peers_us(&PeerTimes::least)},
      {"similar_most_us", peers_us(&PeerTimes::most)},
      {"is_slow", &Row::is_slow}};
}

}  // namespace

double measured_bus_bandwidth(const ScoredRow& row) {
  return (row.size / row.measured).base() / 1e9 * bus_factor_of(row.collective, row.ranks);
}

Records collective_check_records(const std::vector<JudgedTable>& tables) {
  std::vector<JudgedRow> rows;
  for (const JudgedTable& table : tables)
    rows.insert(rows.end(), table.judgement.rows.begin(), table.judgement.rows.end());
  return records_of(columns(), rows);
}

}  // namespace report
}  // namespace tofn
