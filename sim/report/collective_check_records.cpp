#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/bus_factor.hpp"
#include "sim/formats/text/stated_placement.hpp"
#include "sim/report/collective_check_report.hpp"

namespace tofn {
inline namespace report {
namespace {

/// A measured row with its table, or only a refused log.
struct CheckedRow {
  const JudgedTable* table = nullptr;
  const JudgedRow* row = nullptr;
  const RefusedLog* refused = nullptr;
  const FabricTraining* training = nullptr;
};

std::optional<long long> edge_of_band(const JudgedTable& judged, std::size_t SlowBand::*edge) {
  if (!judged.judgement.slow) return {};
  const std::size_t index = (*judged.judgement.slow).*edge;
  return static_cast<long long>(judged.judgement.rows[index].scored.size.base());
}

/// Cause of a slow table; absent if the table is normal, or undecided without a slow row.
std::optional<std::string> cause_if_any(const JudgedTable& judged) {
  const TableJudgement& judgement = judged.judgement;
  if (judged.is_normal() || (judgement.is_undecided() && !judgement.has_slow_rows())) return {};
  return cause_text(judged);
}

TableColumns<CheckedRow> judged_columns() {
  using Row = JudgedRow;
  const auto scored = [](auto figure) {
    return of_its(&CheckedRow::row, of_its(&Row::scored, figure));
  };
  const auto microseconds = [](Seconds time) { return time.base() * 1e6; };
  const auto scored_us = [=](auto time) { return scored(of_its(time, microseconds)); };
  const auto peers_us = [=](auto time) {
    return of_its(&CheckedRow::row, &Row::peers, time, microseconds);
  };
  const auto table = [](auto figure) { return of_its(&CheckedRow::table, figure); };
  return {
      {"file", [](const CheckedRow& r) { return r.table ? r.table->table.file : r.refused->file; }},
      {"collective", scored(of_its(&ScoredRow::collective, collective_name)),
       "collective operation: all-reduce, reduce-scatter, ..."},
      {"ranks", scored(&ScoredRow::ranks)},
      {"nodes", scored(&ScoredRow::nodes)},
      {"size", scored([](const ScoredRow& r) { return static_cast<long long>(r.size.base()); })},
      {"measured_us", scored_us(&ScoredRow::measured), "time of one call, in microseconds"},
      {"bus_bandwidth_gb_s", scored(measured_bus_bandwidth),
       "size / time x bus factor, in 10^9 bytes a second"},
      {"expected_bus_bandwidth_gb_s", scored(expected_bus_bandwidth),
       "bus bandwidth of the predicted time, which a healthy system reaches"},
      {"predicted_us", scored_us(&ScoredRow::predicted),
       "predicted time of one call, in microseconds"},
      {"low_us", scored_us(&ScoredRow::low),
       "lower end of the time's 90 % interval, in microseconds"},
      {"high_us", scored_us(&ScoredRow::high),
       "upper end of the time's 90 % interval, in microseconds"},
      {"similar_tables",
       of_its(&CheckedRow::row, [](const Row& r) { return r.peers ? r.peers->tables : 0; }),
       "tables of similar machines"},
      {"similar_median_us", peers_us(&PeerTimes::median),
       "median time of similar machines, in microseconds"},
      {"similar_least_us", peers_us(&PeerTimes::least), "least time of similar machines"},
      {"similar_most_us", peers_us(&PeerTimes::most), "greatest time of similar machines"},
      {"is_slow", of_its(&CheckedRow::row, &Row::is_slow),
       "1 where the call takes longer than it should"},
      {"cluster", table(&JudgedTable::cluster)},
      {"cluster_by", table(&JudgedTable::cluster_by), "evidence by which the cluster was known"},
      {"verdict", [](const CheckedRow& r) { return r.table ? verdict_word(*r.table) : "refused"; },
       "verdict on the table: normal, slow, too few rows, fast, refused, impossible"},
      {"slow_from_bytes",
       table([](const JudgedTable& t) { return edge_of_band(t, &SlowBand::first); }),
       "least size of the slow calls"},
      {"slow_to_bytes",
       table([](const JudgedTable& t) { return edge_of_band(t, &SlowBand::last); }),
       "greatest size of the slow calls"},
      {"slow_factor",
       table(of_its([](const JudgedTable& t) { return t.judgement.slow; }, &SlowBand::factor)),
       "factor by which the slow calls take longer"},
      {"cause", table(cause_if_any), "likely cause"},
      {"impossible", table([](const JudgedTable& t) { return known(t.judgement.impossible); }),
       "reason why the figures cannot be true"},
      {"similar", table([](const JudgedTable& t) {
         return known(fmt::format("{}", fmt::join(t.judgement.peers, "; ")));
       }),
       "machines or jobs that were taken for similar"},
      {"is_certain", table(&JudgedTable::is_certain),
       "0 where the log allows other clusters, ranks or nodes, whose rows are here too"},
      {"step_s",
       of_its(&CheckedRow::training, [](const FabricTraining& t) { return t.here.base(); })},
      {"healthy_step_s",
       of_its(&CheckedRow::training,
              [](const FabricTraining& t) { return t.healthy.times.total.base(); }),
       "time of a step of the trained model on healthy links"},
      {"refused", of_its(&CheckedRow::refused, &RefusedLog::reason)}};
}

}  // namespace

double bus_bandwidth(const ScoredRow& row, Seconds time) {
  return (row.size / time).base() / 1e9 * bus_factor_of(row.collective, row.ranks);
}

double measured_bus_bandwidth(const ScoredRow& row) { return bus_bandwidth(row, row.measured); }
double expected_bus_bandwidth(const ScoredRow& row) { return bus_bandwidth(row, row.predicted); }

ExplainedRecords collective_check_records(
    const std::vector<JudgedTable>& tables, const std::vector<RefusedLog>& refused,
    std::span<const std::optional<FabricTraining>> trainings) {
  std::vector<CheckedRow> rows;
  for (std::size_t i = 0; i < tables.size(); ++i)
    for (const JudgedRow& row : tables[i].judgement.rows)
      rows.push_back({.table = &tables[i],
                      .row = &row,
                      .training = i < trainings.size() && trainings[i] ? &*trainings[i] : nullptr});
  for (const RefusedLog& log : refused) rows.push_back({.refused = &log});
  return records_of(judged_columns(), rows);
}

}  // namespace report
}  // namespace tofn
