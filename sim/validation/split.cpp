#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/curves/fit_curve.hpp"
#include "sim/validation/protocols.hpp"
#include "sim/validation/score.hpp"

namespace tofn {
inline namespace validation {
namespace {

/// Rows of even and of odd rank among the distinct sizes; repeats of a size stay together.
std::array<std::vector<CollectiveRow>, 2> halves_of(const CollectiveTable& table) {
  std::array<std::vector<CollectiveRow>, 2> halves;
  std::size_t sizes = 0;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (i > 0 && table.rows[i].size != table.rows[i - 1].size) ++sizes;
    halves[sizes % 2].push_back(table.rows[i]);
  }
  return halves;
}

bool has_two_sizes(const std::vector<CollectiveRow>& rows) {
  return !rows.empty() && rows.front().size != rows.back().size;
}

void append(std::vector<ScoredRow>& rows, std::vector<ScoredRow> more) {
  std::move(more.begin(), more.end(), std::back_inserter(rows));
}

void score_table(const CollectiveTable& table, Scores& scores) {
  const auto halves = halves_of(table);
  // One size alone does not show how time grows.
  if (!has_two_sizes(halves[0])) {
    scores.left_out.push_back({table.file, "has fewer than 3 sizes: half of them tell no course"});
    return;
  }
  std::vector<ScoredRow> rows;
  for (const std::size_t learned : {0U, 1U}) {
    if (!has_two_sizes(halves[learned])) continue;
    CollectiveTable half = table;
    half.rows = halves[learned];
    append(rows, score_rows(table, halves[1 - learned], fit_curve(half).curve, table.nodes));
  }
  std::ranges::stable_sort(rows, [](const auto& a, const auto& b) { return a.size < b.size; });
  append(scores.rows, std::move(rows));
}

}  // namespace

Scores score_split(std::span<const CollectiveTable> tables) {
  Scores scores;
  for (const CollectiveTable& table : tables) {
    try {
      score_table(table, scores);
    } catch (const InputError& error) {
      scores.left_out.push_back({table.file, error.what()});
    }
  }
  return scores;
}

}  // namespace validation
}  // namespace tofn
