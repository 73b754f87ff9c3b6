#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/core/collective_kind.hpp"
#include "sim/core/quantity.hpp"

namespace tofn {
inline namespace measurements {

/// One size of a benchmark's table. At least one of the two times is there.
struct CollectiveRow {
  Bytes size;  ///< as nccl-tests counts it: of gather, scatter and all-to-all the total over ranks
  std::optional<Seconds> out_of_place;
  std::optional<Seconds> in_place;
  int line = 0;  ///< in the file it was read from; 0: none

  /// The smaller of both: first rows, and rows after a switch of algorithm, carry warm-up spikes.
  Seconds time() const;
};

/// What one benchmark says of one collective on one group of ranks.
struct CollectiveTable {
  std::string file;
  std::string source;  ///< who measured it and where that is published; the log's words
  std::string tool;    ///< `nccl-tests`, `rccl-tests`, `osu`, `osu-nccl`, `imb`, `oneccl`,
                       ///< `tofn-bench`, `table`
  CollectiveKind collective = CollectiveKind::AllReduce;
  std::string type;  ///< element type in the log's words; may be empty
  int ranks = 0;
  int nodes = 0;
  std::string algorithm;            ///< forced one (`Ring`); empty: the library's choice
  std::string protocol;             ///< likewise (`LL128`)
  std::string setting{};            ///< all that a record states of how it was measured
  std::vector<CollectiveRow> rows;  ///< sizes ascend; a size may come several times (repeats)
};

/// Whether its benchmark measures MPI; others measure NCCL, RCCL or oneCCL.
inline bool is_of_mpi(const CollectiveTable& table) {
  return table.tool == "osu" || table.tool == "imb";
}

}  // namespace measurements
}  // namespace tofn
