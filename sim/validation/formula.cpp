#include "sim/validation/formula.hpp"

#include <cmath>
#include <map>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/core/statistics.hpp"
#include "sim/validation/link_lint.hpp"

namespace tofn {
inline namespace validation {
namespace {

bool is_taught(const Cluster& cluster) {
  const bool is_board =
      cluster.accelerator.name == "H100 SXM" && cluster.scale_up.kind == ScaleUpKind::Switch;
  return is_board && cluster.network && cluster.network->kind == NetworkKind::Infiniband;
}

/// Whether small messages take far longer than the fabric explains: launched one by one, they wait
/// for the host, which says nothing of the ramps.
bool is_launch_bound(const PlacedTable& placed) {
  constexpr double small_bytes = 1024;
  constexpr double far_longer = 1.5;
  const CollectiveRow& first = placed.table->rows.front();
  if (first.size.base() > small_bytes) return false;
  const Cost fabric =
      collective_cost(placed.table->collective, first.size, placed.communicator, false, Ramps{});
  return first.time() > far_longer * fabric.time;
}

bool is_usable(const CollectiveTable& table) {
  return table.algorithm.empty() && table.protocol.empty() && faults_of(table).first().empty();
}

/// What the formulas take from the laboratories that may teach them.
struct Lesson {
  const Knowledge& knowledge;
  std::string without;  ///< the laboratory that is held back
  Ramps ramps;
};

Lesson learn(const Knowledge& knowledge, const std::string& without) {
  const auto tables = ramp_tables(knowledge, without);
  if (tables.empty())
    throw InputError("no H100 all-reduce tables of other laboratories to fit ramps to");
  return {knowledge, without, fit_ramps(tables)};
}

/// log(measured / predicted) of every row that may tell of others, by laboratory: of the same
/// collective, on machines like those that the ramps are fitted to or on others, in one domain or
/// over several.
std::vector<std::vector<double>> errors_by_laboratory(const Lesson& lesson, CollectiveKind kind,
                                                      const Cluster& cluster, bool one_domain) {
  std::map<std::string, std::vector<double>> errors;
  for (const KnownTable& known : lesson.knowledge.known) {
    if (known.cluster == nullptr || known.laboratory == lesson.without ||
        known.table.collective != kind || !is_usable(known.table))
      continue;
    const PlacedTable placed{&known.table,
                             placed_on(*known.cluster, known.table.ranks, known.table.nodes)};
    if (is_taught(*known.cluster) != is_taught(cluster) ||
        placed.communicator.one_domain() != one_domain)
      continue;
    for (const double error : formula_errors(placed, lesson.ramps))
      errors[known.laboratory].push_back(-error);
  }
  std::vector<std::vector<double>> all;
  for (auto& [laboratory, own] : errors) all.push_back(std::move(own));
  return all;
}

/// Of measured / predicted, 9 of 10 rows of a laboratory that nobody has seen. The rows of one
/// share its machine, so that laboratories count alike, however many rows they have, and few of
/// them say little: their spread is that of Student's t.
Interval ratio_interval(const Lesson& lesson, CollectiveKind kind, const Cluster& cluster,
                        bool one_domain) {
  constexpr std::size_t least = 3;
  const auto laboratories = errors_by_laboratory(lesson, kind, cluster, one_domain);
  if (laboratories.size() < least) return {0.5, 2};
  std::vector<double> centres;
  for (const auto& own : laboratories) centres.push_back(mean(own));
  const double centre = mean(centres);
  std::vector<double> squares;
  for (const auto& own : laboratories) {
    double sum = 0;
    for (const double error : own) sum += (error - centre) * (error - centre);
    squares.push_back(sum / static_cast<double>(own.size()));
  }
  const auto count = static_cast<double>(laboratories.size());
  const double reach = student_quantile(0.95, static_cast<int>(laboratories.size()) - 1) *
                       std::sqrt(mean(squares) * (1 + 1 / count));
  return {std::exp(centre - reach), std::exp(centre + reach)};
}

/// Who measured it: a known table of the same file or source; nullptr: nobody known.
const KnownTable* known_table(const CollectiveTable& table, const Knowledge& knowledge) {
  for (const KnownTable& known : knowledge.known)
    if (known.table.file == table.file ||
        (!table.source.empty() && known.table.source == table.source))
      return &known;
  return nullptr;
}

void score_table(const CollectiveTable& table, const KnownTable* known, const Cluster& cluster,
                 const Lesson& lesson, Scores& scores) {
  const Communicator c = placed_on(cluster, table.ranks, table.nodes);
  const Interval ratio = ratio_interval(lesson, table.collective, cluster, c.one_domain());
  const std::string fault = faults_on(table, cluster).first();
  for (const CollectiveRow& row : table.rows) {
    const Cost cost = collective_cost(table.collective, row.size, c, false, lesson.ramps);
    scores.rows.push_back({.file = table.file,
                           .collective = table.collective,
                           .ranks = table.ranks,
                           .nodes = table.nodes,
                           .size = row.size,
                           .measured = row.time(),
                           .predicted = cost.time,
                           .low = cost.time * ratio.low,
                           .high = cost.time * ratio.high,
                           .basis = cost.basis,
                           .calibrated_nodes = 0,
                           .fault = fault,
                           .laboratory = known != nullptr ? known->laboratory : "",
                           .taught = known != nullptr ? known->sets : ""});
  }
}

}  // namespace

std::vector<PlacedTable> ramp_tables(const Knowledge& knowledge, const std::string& without) {
  std::vector<PlacedTable> tables;
  for (const KnownTable& known : knowledge.known) {
    const CollectiveTable& table = known.table;
    if (known.cluster == nullptr || known.laboratory == without || !is_usable(table)) continue;
    if (table.collective != CollectiveKind::AllReduce || !is_taught(*known.cluster)) continue;
    const PlacedTable placed{&table, placed_on(*known.cluster, table.ranks, table.nodes)};
    if (!is_launch_bound(placed)) tables.push_back(placed);
  }
  return tables;
}

Scores score_formula(std::span<const CollectiveTable> tables, const Knowledge& knowledge) {
  Scores scores;
  std::map<std::string, Lesson> lessons;
  for (const CollectiveTable& table : tables) {
    const auto leave_out = [&](std::string why) {
      scores.left_out.push_back({table.file, std::move(why)});
    };
    if (!table.algorithm.empty() || !table.protocol.empty()) {
      leave_out("one algorithm or protocol was forced");
      continue;
    }
    const Cluster* cluster = knowledge.cluster_of(table);
    if (cluster == nullptr) {
      leave_out("name and source do not say which cluster it is: give --cluster");
      continue;
    }
    const KnownTable* known = known_table(table, knowledge);
    const std::string laboratory = known != nullptr ? known->laboratory : "";
    try {
      auto lesson = lessons.find(laboratory);
      if (lesson == lessons.end())
        lesson = lessons.emplace(laboratory, learn(knowledge, laboratory)).first;
      score_table(table, known, *cluster, lesson->second, scores);
    } catch (const InputError& error) {
      leave_out(error.what());
    }
  }
  return scores;
}

}  // namespace validation
}  // namespace tofn
