#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/diagnosis/causes.hpp"
#include "sim/diagnosis/slowed_sizes.hpp"
#include "sim/validation/formula.hpp"
#include "sim/validation/score.hpp"

namespace tofn {
inline namespace diagnosis {

/// Slow rows that make a band: four, because one of ten rows lies outside any 90 % interval.
inline constexpr std::size_t fewest_of_band = 4;

/// Times of similar systems at one size.
struct PeerTimes {
  int tables = 0;
  Seconds median;
  Seconds least;
  Seconds most;
};

/// A row with its prediction and the times of similar systems.
struct JudgedRow {
  ScoredRow scored;
  std::optional<PeerTimes> peers;  ///< absent if no similar system measured near this size
  bool is_slow = false;            ///< above the formulas' interval and above all peers
};

/// Consecutive slow rows, from `first` to `last`.
struct SlowBand {
  std::size_t first = 0;
  std::size_t last = 0;
  /// Median of measured over the median of similar systems, or over the prediction.
  double factor = 1;
};

struct TableJudgement {
  std::vector<JudgedRow> rows;
  std::vector<std::string> peers;   ///< files of the similar systems
  int peer_nodes = 0;               ///< their node count; 0: there are none
  std::string impossible;           ///< reason why no such machine can give these rows
  std::optional<SlowBand> slow;     ///< the longest band
  std::vector<LikelyCause> likely;  ///< causes of the times, slow or not
  LinkEffects healthy{};  ///< effects on the nominal links, as estimated without the table
  LinkEffects here{};     ///< effects as estimated with the table
  int nics_per_node = 0;  ///< of the cluster; 0: it has no network

  /// True if the table is neither slow nor impossible, but has too few rows to call it normal.
  bool is_undecided() const;
  bool has_slow_rows() const;
  /// True if the largest message is faster than expected by more than half, beyond its interval and
  /// all similar systems: the ranks, the nodes or the cluster are probably others.
  bool is_fast() const;
  bool is_normal() const { return impossible.empty() && !slow && !is_undecided(); }
};

/// Factor over the slowest similar system from which a size counts as slow (assumed: medians of the
/// published tables of one machine differ by up to 1.12).
inline constexpr double slow_beside_peers = 1.2;

/// Compares a table with what its cluster should give: by healthy tables of its system and of its
/// links' families, and by published systems with the same accelerator, links, ranks per node and
/// collective on the same number of nodes (otherwise on the nearest number, which then excuses
/// nothing). Slow are all sizes, those above one (see slowdown_of), or a band of four and more. The
/// largest sizes are also slow if each is a fifth slower than all similar systems on the same
/// number of nodes and missing NICs are the most likely cause. InputError if the formulas cannot
/// score the table.
TableJudgement judge(const CollectiveTable&, const Cluster&, const Knowledge&);

/// Estimates from healthy machines: tables whose calls do not wait for the host.
class HealthyLinks {
 public:
  explicit HealthyLinks(const Knowledge&);
  /// Posterior of a table from its system and its links' families, without the table's own run.
  LinkPosterior posterior(const LinkTable&) const;
  /// Number of other tables of its system.
  int tables_of(const LinkTable&) const;

 private:
  LinkFit fit_;
};

}  // namespace diagnosis
}  // namespace tofn
