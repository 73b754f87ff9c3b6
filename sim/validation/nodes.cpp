#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <tuple>

#include "sim/core/error.hpp"
#include "sim/curves/fit_nodes.hpp"
#include "sim/validation/lint.hpp"
#include "sim/validation/protocols.hpp"
#include "sim/validation/score.hpp"

namespace tofn {
inline namespace validation {
namespace {

constexpr int reach = 4;  // times the most calibrated nodes

/// Replaces the placement in a file name: `abci-16x8-hdr.txt` becomes `abci-*-hdr.txt`.
std::string without_placement(const std::string& file) {
  static const std::regex placement("(^|[-_.])[0-9]+x[0-9]+(?=[-_.]|$)");
  return std::regex_replace(file, placement, "$1*");
}

/// Key of a machine: tables with equal keys differ only in their number of nodes.
auto key_of(const CollectiveTable& table) {
  return std::tuple(without_placement(table.file), table.collective, table.ranks / table.nodes,
                    table.type, table.algorithm, table.protocol);
}

using Series = std::vector<CollectiveTable>;  // by ascending nodes

std::vector<Series> series_of(std::span<const CollectiveTable> tables) {
  std::map<decltype(key_of(tables[0])), Series> by_key;
  for (const CollectiveTable& table : tables) by_key[key_of(table)].push_back(table);
  std::vector<Series> all;
  for (auto& [key, series] : by_key) {
    std::ranges::stable_sort(series,
                             [](const auto& a, const auto& b) { return a.nodes < b.nodes; });
    all.push_back(std::move(series));
  }
  return all;
}

/// Tables that calibrate up to this number of nodes. An impossible table is only scored, and of
/// several tables on equal nodes the first calibrates.
Series learned_up_to(const Series& series, int nodes) {
  Series learned;
  for (const CollectiveTable& table : series) {
    const bool is_repeat = !learned.empty() && learned.back().nodes == table.nodes;
    if (table.nodes <= nodes && !is_repeat && faults_of(table).impossible.empty())
      learned.push_back(table);
  }
  return learned;
}

/// Most calibrated nodes and the scored table, for all scores so far.
using Request = std::set<std::pair<int, const CollectiveTable*>>;

/// Scores all targets of one calibration, except those that the same tables were scored on before.
void score_from(const Series& series, int nodes, Request& request, Scores& scores) {
  const Series learned = learned_up_to(series, nodes);
  if (learned.empty() || learned.front().nodes == learned.back().nodes) return;
  const int calibrated = learned.back().nodes;
  const NodesFit fit = fit_nodes(learned);
  for (const CollectiveTable& target : series) {
    if (target.nodes <= nodes || target.nodes > reach * nodes) continue;
    if (!request.emplace(calibrated, &target).second) continue;
    const auto rows = score_rows(target, target.rows, fit.curve(target.nodes), calibrated);
    scores.rows.insert(scores.rows.end(), rows.begin(), rows.end());
  }
}

void score_series(const Series& series, Scores& scores) {
  const std::size_t before = scores.rows.size();
  Request request;
  for (int nodes = 1; nodes < series.back().nodes; nodes *= 2)
    score_from(series, nodes, request, scores);
  if (scores.rows.size() > before) return;
  for (const CollectiveTable& table : series)
    scores.left_out.push_back(
        {table.file, "fewer than two smaller node counts of its machine within reach"});
}

}  // namespace

Scores score_nodes(std::span<const CollectiveTable> tables) {
  Scores scores;
  for (const Series& series : series_of(tables)) {
    try {
      score_series(series, scores);
    } catch (const InputError& error) {
      scores.left_out.push_back({series.front().file, error.what()});
    }
  }
  return scores;
}

}  // namespace validation
}  // namespace tofn
