#include "sim/validation/formula.hpp"

#include <algorithm>
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

bool is_usable(const CollectiveTable& table) {
  return table.algorithm.empty() && table.protocol.empty() && faults_of(table).first().empty();
}

/// Known table of the same file or source; nullptr if there is none.
const KnownTable* known_table(const CollectiveTable& table, const Knowledge& knowledge) {
  for (const KnownTable& known : knowledge.known)
    if (is_same(known.table, table)) return &known;
  return nullptr;
}

/// Posterior and ramps for the score of a table.
struct Lesson {
  LinkPosterior posterior;
  Ramps ramps;
};

/// Fits to the known tables that a protocol allows. Each fit is made once.
class School {
 public:
  School(const Knowledge& knowledge, bool system_is_known)
      : knowledge_(knowledge),
        system_is_known_(system_is_known),
        fit_(link_tables(knowledge), shipped_spreads()) {}

  Lesson lesson(const CollectiveTable& table, const LinkTable& placed,
                const std::string& laboratory) {
    return {fit_.posterior(placed, system_is_known_,
                           [&](const LinkTable& other) { return teaches(other, placed, table); }),
            ramps_without(laboratory)};
  }

 private:
  bool teaches(const LinkTable& other, const LinkTable& placed,
               const CollectiveTable& table) const {
    return system_is_known_ ? !is_same(*other.table, table) : other.system != placed.system;
  }

  const Ramps& ramps_without(const std::string& laboratory) {
    const auto found = ramps_.find(laboratory);
    if (found != ramps_.end()) return found->second;
    const auto tables = ramp_tables(knowledge_, laboratory);
    return ramps_.emplace(laboratory, tables.empty() ? Ramps{} : fit_ramps(tables)).first->second;
  }

  const Knowledge& knowledge_;
  bool system_is_known_;
  LinkFit fit_;
  std::map<std::string, Ramps> ramps_;
};

/// Reason why a table has no cluster.
std::string reason_unplaced(const KnownTable* known) {
  if (known != nullptr && known->cluster == nullptr)
    return fmt::format("its calibration {} names no cluster: {}", known->laboratory,
                       known->machine);
  return "name and source do not say which cluster it is: give --cluster";
}

Scores score(std::span<const CollectiveTable> tables, const Knowledge& knowledge,
             bool system_is_known) {
  Scores scores;
  School school(knowledge, system_is_known);
  for (const CollectiveTable& table : tables) {
    const auto leave_out = [&](std::string why) {
      scores.left_out.push_back({table.file, std::move(why)});
    };
    const KnownTable* known = known_table(table, knowledge);
    const Cluster* cluster = knowledge.cluster_of(table);
    if (cluster == nullptr || (known != nullptr && known->cluster == nullptr)) {
      leave_out(reason_unplaced(known));
      continue;
    }
    try {
      LinkTable placed = link_table(table, *cluster);
      if (known != nullptr) placed.laboratory = known->laboratory;
      const Lesson lesson = school.lesson(table, placed, known != nullptr ? known->laboratory : "");
      for (ScoredRow& row : scored_rows(placed, lesson.posterior, lesson.ramps)) {
        row.fault = faults_on(table, *cluster).first();
        if (known != nullptr) row.laboratory = known->laboratory, row.taught = known->sets;
        scores.rows.push_back(std::move(row));
      }
    } catch (const InputError& error) {
      leave_out(error.what());
    }
  }
  return scores;
}

}  // namespace

bool has_same_rows(const CollectiveTable& a, const CollectiveTable& b) {
  return a.collective == b.collective && a.ranks == b.ranks && a.nodes == b.nodes &&
         std::equal(a.rows.begin(), a.rows.end(), b.rows.begin(), b.rows.end(),
                    [](const CollectiveRow& x, const CollectiveRow& y) {
                      constexpr double rounding = 1e-9;  // of microseconds to seconds
                      return x.size == y.size && std::abs(x.time() / y.time() - 1) < rounding;
                    });
}

bool is_same(const CollectiveTable& a, const CollectiveTable& b) {
  return a.file == b.file || has_same_rows(a, b) || (!a.source.empty() && a.source == b.source);
}

bool is_launch_bound(const CollectiveTable& table, const Communicator& c) {
  constexpr double small_bytes = 1024;
  constexpr double far_longer = 1.5;
  const CollectiveRow& first = table.rows.front();
  if (first.size.base() > small_bytes) return false;
  return first.time() >
         far_longer * collective_cost(table.collective, first.size, c, false, Ramps{}).time;
}

double reach_of(const LinkTable& placed, const LinkPosterior& posterior, Bytes size) {
  const auto weights = responses(placed.table->collective, size, placed.nominal, posterior.mean);
  const double own = row_deviation(placed.nominal, shipped_spreads());
  // Student's t gives outlying rows the same frequency as in the fit.
  return student_quantile(0.95, row_freedom) *
         std::hypot(own, std::sqrt(posterior.variance(weights)));
}

std::vector<ScoredRow> scored_rows(const LinkTable& placed, const LinkPosterior& posterior,
                                   const Ramps& ramps) {
  const CollectiveTable& table = *placed.table;
  std::vector<ScoredRow> rows;
  for (const CollectiveRow& row : table.rows) {
    const double predicted =
        log_time(table.collective, row.size, placed.nominal, posterior.mean, ramps);
    const double reach = reach_of(placed, posterior, row.size);
    rows.push_back({.file = table.file,
                    .collective = table.collective,
                    .ranks = table.ranks,
                    .nodes = table.nodes,
                    .size = row.size,
                    .measured = row.time(),
                    .predicted = Seconds(std::exp(predicted)),
                    .low = Seconds(std::exp(predicted - reach)),
                    .high = Seconds(std::exp(predicted + reach)),
                    .basis = placed.nominal.basis,
                    .fault = {}});
  }
  return rows;
}

std::vector<PlacedTable> ramp_tables(const Knowledge& knowledge, const std::string& without) {
  std::vector<PlacedTable> tables;
  for (const KnownTable& known : knowledge.known) {
    const CollectiveTable& table = known.table;
    if (known.cluster == nullptr || known.laboratory == without || !is_usable(table)) continue;
    if (table.collective != CollectiveKind::AllReduce || !is_taught(*known.cluster)) continue;
    PlacedTable placed{&table, placed_on(*known.cluster, table.ranks, table.nodes)};
    placed.communicator.scale_up.filling = placed.communicator.network.filling = 1;
    if (!is_launch_bound(table, placed.communicator)) tables.push_back(placed);
  }
  return tables;
}

std::vector<LinkTable> link_tables(const Knowledge& knowledge) {
  std::vector<LinkTable> tables;
  for (const KnownTable& known : knowledge.known) {
    if (known.cluster == nullptr || !faults_of(known.table).impossible.empty()) continue;
    tables.push_back(link_table(known.table, *known.cluster));
    tables.back().laboratory = known.laboratory;
  }
  return tables;
}

Scores score_formula(std::span<const CollectiveTable> tables, const Knowledge& knowledge) {
  return score(tables, knowledge, false);
}

Scores score_related(std::span<const CollectiveTable> tables, const Knowledge& knowledge) {
  return score(tables, knowledge, true);
}

}  // namespace validation
}  // namespace tofn
