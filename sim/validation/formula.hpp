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

/// A published table and its machine.
struct KnownTable {
  CollectiveTable table;
  std::string laboratory;  ///< tables of one laboratory are held out together
  const Cluster* cluster = nullptr;
  std::string sets{};     ///< parts of the formulas read off these tables; may be empty
  std::string machine{};  ///< description in words
};

/// Data that the formulas may use besides the tables to score.
struct Knowledge {
  std::vector<KnownTable> known;
  /// Returns the machine of a table from its name and source; nullptr if these say too little.
  std::function<const Cluster*(const CollectiveTable&)> cluster_of;
};

/// Scores links of the machine's families that are fitted to tables of other systems (clusters), as
/// for a machine without measurements. Ramps are fitted without the table's laboratory. Intervals
/// are made for 9 of 10 rows of such a table.
Scores score_formula(std::span<const CollectiveTable>, const Knowledge&);

/// Scores with the other tables of its system in the fit.
Scores score_related(std::span<const CollectiveTable>, const Knowledge&);

/// Half-width of the 90 % interval of a row of this size, as a logarithm.
double reach_of(const LinkTable&, const LinkPosterior&, Bytes size);

/// Rows of a table beside their predictions, with 90 % intervals.
std::vector<ScoredRow> scored_rows(const LinkTable&, const LinkPosterior&,
                                   const Ramps& = fitted_ramps());

/// True if both tables have the same times of the same job, whatever their files are called.
bool has_same_rows(const CollectiveTable&, const CollectiveTable&);

/// True if both tables come from one run of a benchmark: the same file, rows or source.
bool is_same(const CollectiveTable&, const CollectiveTable&);

/// True if small messages take far longer than the fabric explains, because calls are launched one
/// by one and wait for the host.
bool is_launch_bound(const CollectiveTable&, const Communicator&);

/// Known tables that links can be fitted to, placed on their clusters.
std::vector<LinkTable> link_tables(const Knowledge&);

/// Tables to which ramps are fitted: all-reduce on H100 boards with NVSwitch over InfiniBand.
std::vector<PlacedTable> ramp_tables(const Knowledge&, const std::string& without_laboratory);

}  // namespace validation
}  // namespace tofn
