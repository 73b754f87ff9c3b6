#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/validation/causes.hpp"
#include "sim/validation/formula.hpp"
#include "sim/validation/score.hpp"
#include "sim/validation/slowed_sizes.hpp"

namespace tofn {
inline namespace validation {

/// Slow rows that make a band: four, since of ten rows one lies outside any 90 % interval.
inline constexpr std::size_t fewest_of_band = 4;

/// What similar systems show at one size.
struct PeerTimes {
  int tables = 0;
  Seconds median;
  Seconds least;
  Seconds most;
};

/// A row beside the formulas and beside similar systems.
struct JudgedRow {
  ScoredRow scored;
  std::optional<PeerTimes> peers;  ///< absent where none measured near this size
  bool is_slow = false;            ///< above the formulas' interval and above all peers
};

/// Rows one after the other that are slow: those from `first` to `last`.
struct SlowBand {
  std::size_t first = 0;
  std::size_t last = 0;
  double factor = 1;  ///< median of measured over the peers' median, or what the formulas say
};

struct TableJudgement {
  std::vector<JudgedRow> rows;
  std::vector<std::string> peers;   ///< files of the similar systems
  int peer_nodes = 0;               ///< nodes of theirs; 0: there are none
  std::string impossible;           ///< why no such machine can have given these rows
  std::optional<SlowBand> slow;     ///< the longest band
  std::vector<LikelyCause> likely;  ///< what explains the times, slow or not
  LinkEffects healthy{};            ///< effects on the nominal links, as believed before
  LinkEffects here{};               ///< and by the table
  int nics_per_node = 0;            ///< of the cluster; 0: it has no network

  /// Neither slow nor impossible, and of too few rows to call it normal.
  bool is_undecided() const;
  bool has_slow_rows() const;
  bool is_normal() const { return impossible.empty() && !slow && !is_undecided(); }
};

/// Factor over the slowest similar system from which a size counts as slow (assumed: medians of the
/// published tables of one machine differ by up to 1.12).
inline constexpr double slow_beside_peers = 1.2;

/// Whether a table is what its cluster should give: by what healthy tables of its system and of its
/// links' families say, and by published systems with the same accelerator, links, ranks a node and
/// collective on as many nodes (else on the nearest count, which then excuse nothing). Slow are all
/// sizes, those above one (see slowdown_of), or a band of four and more; and the largest ones where
/// each is a fifth slower than all similar systems on as many nodes and missing NICs make such
/// times likeliest. InputError where the formulas cannot score it.
TableJudgement judge(const CollectiveTable&, const Cluster&, const Knowledge&);

/// What healthy machines say of others: tables whose calls do not wait for the host.
class HealthyLinks {
 public:
  explicit HealthyLinks(const Knowledge&);
  /// Of a table that its own run taught nothing of, by its system and its links' families.
  LinkPosterior posterior(const LinkTable&) const;
  /// Other tables of its system.
  int tables_of(const LinkTable&) const;

 private:
  LinkFit fit_;
};

}  // namespace validation
}  // namespace tofn
