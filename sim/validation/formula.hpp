#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/validation/fit_ramps.hpp"
#include "sim/validation/score.hpp"

namespace tofn {
inline namespace validation {

/// A published table and the machine that it describes.
struct KnownTable {
  CollectiveTable table;
  std::string laboratory;  ///< tables of one are held back together
  const Cluster* cluster = nullptr;
  std::string sets{};  ///< what of the formulas was read off the laboratory's tables; may be empty
};

/// What the formulas may know beside the tables to be scored.
struct Knowledge {
  std::vector<KnownTable> known;
  /// The machine of a table by what its name and source say; nullptr where they say too little.
  std::function<const Cluster*(const CollectiveTable&)> cluster_of;
};

/// The machine's file alone: ramps are fitted to other laboratories' H100 tables. Intervals are
/// for 9 of 10 rows of a laboratory that nobody has seen: from what others show on such machines,
/// or on other ones, in one domain or over several.
Scores score_formula(std::span<const CollectiveTable>, const Knowledge&);

/// The tables that ramps are fitted to: all-reduce on H100 boards with NVSwitch over InfiniBand.
std::vector<PlacedTable> ramp_tables(const Knowledge&, const std::string& without_laboratory);

}  // namespace validation
}  // namespace tofn
