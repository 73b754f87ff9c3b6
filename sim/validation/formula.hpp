#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/validation/fit_ramps.hpp"
#include "sim/validation/link_fit.hpp"
#include "sim/validation/score.hpp"

namespace tofn {
inline namespace validation {

/// A published table and the machine that it describes.
struct KnownTable {
  CollectiveTable table;
  std::string laboratory;  ///< tables of one are held back together
  const Cluster* cluster = nullptr;
  std::string sets{};  ///< what of the formulas was read off the laboratory's tables; may be empty
  std::string machine{};  ///< in words
};

/// What the formulas may know beside the tables to be scored.
struct Knowledge {
  std::vector<KnownTable> known;
  /// The machine of a table by what its name and source say; nullptr where they say too little.
  std::function<const Cluster*(const CollectiveTable&)> cluster_of;
};

/// Links of the machine's families, learnt from tables of other systems (clusters): how a machine
/// fares that nobody has measured. Ramps are fitted without the table's laboratory. Intervals hold
/// 9 of 10 rows of such a table.
Scores score_formula(std::span<const CollectiveTable>, const Knowledge&);

/// The same where the other tables of its system teach too.
Scores score_kin(std::span<const CollectiveTable>, const Knowledge&);

/// How far 9 of 10 rows of a size lie at most from what is believed of them, as a logarithm.
double reach_of(const LinkTable&, const LinkPosterior&, Bytes size);

/// Rows of a table beside what is believed of them, with intervals for 9 of 10.
std::vector<ScoredRow> scored_rows(const LinkTable&, const LinkPosterior&,
                                   const Ramps& = fitted_ramps());

/// The same times of the same job, whatever its file is called.
bool has_same_rows(const CollectiveTable&, const CollectiveTable&);

/// Of one benchmark's run: the same file, rows or source.
bool is_same(const CollectiveTable&, const CollectiveTable&);

/// Whether small messages take far longer than the fabric explains: launched one by one, they wait
/// for the host.
bool is_launch_bound(const CollectiveTable&, const Communicator&);

/// Every known table that can teach what links do, placed on its cluster.
std::vector<LinkTable> link_tables(const Knowledge&);

/// The tables that ramps are fitted to: all-reduce on H100 boards with NVSwitch over InfiniBand.
std::vector<PlacedTable> ramp_tables(const Knowledge&, const std::string& without_laboratory);

}  // namespace validation
}  // namespace tofn
