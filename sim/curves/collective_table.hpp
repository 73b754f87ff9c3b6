#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/core/collective_kind.hpp"
#include "sim/core/quantity.hpp"

namespace tofn {
inline namespace curves {

/// One size of a benchmark's table, with at least one of the two times.
struct CollectiveRow {
  Bytes size;  ///< as nccl-tests counts it: for gather, scatter and all-to-all the total over ranks
  std::optional<Seconds> out_of_place;
  std::optional<Seconds> in_place;
  int line = 0;  ///< in the source file; 0 if there is none

  /// Smaller of both times, because first rows, and rows after a switch of algorithm, have warm-up
  /// spikes.
  Seconds time() const;
};

/// Results of one benchmark for one collective on one group of ranks.
struct CollectiveTable {
  std::string file;
  std::string source;  ///< in the log's words: who measured it, and where it is published
  std::string tool;    ///< `nccl-tests`, `rccl-tests`, `osu`, `osu-nccl`, `imb`, `oneccl`,
                       ///< `tofn-bench`, `tofn-bench mpi`, `table`
  CollectiveKind collective = CollectiveKind::AllReduce;
  std::string type;  ///< element type in the log's words; may be empty
  int ranks = 0;
  int nodes = 0;
  std::string algorithm;            ///< forced one (`Ring`); empty: the library's choice
  std::string protocol;             ///< forced one (`LL128`); empty: the library's choice
  std::string wrong_results{};      ///< first row whose results the benchmark found wrong
  std::string setting{};            ///< all that a record states about the measurement
  std::vector<CollectiveRow> rows;  ///< sizes ascend; a size may occur several times (repeats)
};

/// `CollectiveTable::tool` of records of `tofn-bench --backend mpi`.
inline constexpr const char* tool_of_mpi = "tofn-bench mpi";

/// True if the benchmark measures MPI; others measure NCCL, RCCL or oneCCL.
inline bool is_of_mpi(const CollectiveTable& table) {
  return table.tool == "osu" || table.tool == "imb" || table.tool == tool_of_mpi;
}

/// True if the library chose algorithm and protocol.
inline bool is_free_choice(const CollectiveTable& table) {
  return table.algorithm.empty() && table.protocol.empty();
}

/// Words on the first two tables of one collective on as many ranks and nodes, with their files;
/// empty if there are none. Those with a forced algorithm or protocol are not compared.
std::string measured_twice(std::span<const CollectiveTable>);

}  // namespace curves
}  // namespace tofn
