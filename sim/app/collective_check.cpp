#include <cmath>
#include <iostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/answers/collective_tables.hpp"
#include "sim/answers/knowledge.hpp"
#include "sim/app/command.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/measurements/stated_placement.hpp"
#include "sim/options/option_values.hpp"
#include "sim/report/text_table.hpp"
#include "sim/validation/judge.hpp"

namespace tofn {
namespace {

std::vector<CollectiveTable> read_logs(const options::variables_map& values) {
  const LogHints hints{.collective = choice_option(values, "collective", collective_kinds),
                       .ranks = count_option(values, "ranks"),
                       .nodes = count_option(values, "nodes"),
                       .type = {}};
  std::vector<CollectiveTable> tables;
  for (const std::string& file : values["check"].as<std::vector<std::string>>()) {
    LogReading reading = read_collective_tables(file, hints);
    for (const std::string& remark : reading.remarks) std::cerr << "tofn: " << remark << '\n';
    for (CollectiveTable& table : reading.tables) {
      table.file = std::filesystem::path(table.file).filename().string();
      tables.push_back(std::move(table));
    }
  }
  return tables;
}

std::string microseconds(Seconds time) {
  const double us = time.base() * 1e6;
  return us < 1000 ? fmt::format("{:.4g}", us) : fmt::format("{:.0f}", us);
}

double bus_of(const ScoredRow& row) {
  return (row.size / row.measured).base() / 1e9 * bus_factor_of(row.collective, row.ranks);
}

/// About a dozen rows, evenly over the sizes; all where there are fewer.
std::vector<std::size_t> shown_rows(std::size_t count) {
  constexpr std::size_t most = 12;
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < std::min(count, most); ++i)
    shown.push_back(count <= most ? i : i * (count - 1) / (most - 1));
  return shown;
}

std::string rows_text(const std::vector<JudgedRow>& rows) {
  TextTable text({{"size"},
                  {"us"},
                  {"bus GB/s"},
                  {"formulas us"},
                  {"90 % interval"},
                  {"similar us"},
                  {"least-most"},
                  {"", Align::Left}});
  for (const std::size_t i : shown_rows(rows.size())) {
    const auto& [row, peers, is_slow] = rows[i];
    text.add({to_text(row.size), microseconds(row.measured), fmt::format("{:.4g}", bus_of(row)),
              microseconds(row.predicted), microseconds(row.low) + "-" + microseconds(row.high),
              peers ? microseconds(peers->median) : "-",
              peers ? microseconds(peers->least) + "-" + microseconds(peers->most) : "-",
              is_slow ? "slow" : ""});
  }
  return text.render();
}

std::string peers_text(const TableJudgement& judgement, int nodes) {
  if (judgement.peers.empty()) return "  similar: no published system\n";
  return fmt::format("  similar{}: {}\n",
                     judgement.peer_nodes == nodes
                         ? ""
                         : fmt::format(", on {} nodes (the nearest)", judgement.peer_nodes),
                     fmt::join(judgement.peers, ", "));
}

std::string verdict_text(const TableJudgement& judgement) {
  if (!judgement.impossible.empty()) return "faster than the links allow: " + judgement.impossible;
  if (!judgement.slow) return "normal";
  const auto& [first, last, factor] = *judgement.slow;
  return fmt::format("slow from {} to {} by a factor of {:.2g}; {}",
                     to_text(judgement.rows[first].scored.size),
                     to_text(judgement.rows[last].scored.size), factor,
                     judgement.cause.empty() ? "no known cause shows so" : judgement.cause);
}

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
      {"bus_bandwidth_gb_s", scored(bus_of)},
      {"predicted_us", scored_us(&ScoredRow::predicted)},
      {"low_us", scored_us(&ScoredRow::low)},
      {"high_us", scored_us(&ScoredRow::high)},
      {"similar_tables", [](const Row& r) { return r.peers ? r.peers->tables : 0; }},
      {"similar_median_us", peers_us(&PeerTimes::median)},
      {"similar_least_us", peers_us(&PeerTimes::least)},
      {"similar_most_us", peers_us(&PeerTimes::most)},
      {"is_slow", &Row::is_slow}};
}

const Cluster& cluster_of(const CollectiveTable& table, const Knowledge& knowledge) {
  if (const Cluster* cluster = knowledge.cluster_of(table)) return *cluster;
  throw InputError({table.file}, "",
                   "name and source do not say which cluster it is: give "
                   "--cluster");
}

}  // namespace

int check_collectives(const options::variables_map& values, const CommonOptions& common) {
  Library library = Library::load(common.configs);
  const Knowledge knowledge = knowledge_of(library, common.configs, text_option(values, "cluster"));
  std::vector<JudgedRow> rows;
  std::string text;
  bool all_normal = true;
  for (const CollectiveTable& table : read_logs(values)) {
    const Cluster& cluster = cluster_of(table, knowledge);
    const TableJudgement judgement = judge(table, cluster, knowledge);
    all_normal = all_normal && judgement.is_normal();
    text += fmt::format("{}: {}, {} ranks on {} node{} of {}\n{}{}  verdict: {}\n", table.file,
                        collective_name(table.collective), table.ranks, table.nodes,
                        table.nodes == 1 ? "" : "s", cluster.name, rows_text(judgement.rows),
                        peers_text(judgement, table.nodes), verdict_text(judgement));
    rows.insert(rows.end(), judgement.rows.begin(), judgement.rows.end());
  }
  write_answer(common, text, records_of(columns(), rows));
  return all_normal ? 0 : 1;
}

}  // namespace tofn
