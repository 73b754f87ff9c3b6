#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/evidence/machine_of_log.hpp"
#include "sim/measurements/collective_log.hpp"

namespace tofn {
inline namespace evidence {

/// A table as it was measured on a machine that its log allows.
struct LogCandidate {
  const Cluster* cluster = nullptr;
  CollectiveTable table;  ///< placed
  int words = 0;          ///< of the cluster's name that the log has (shared_words)
};

/// Where a table may have been measured.
struct TableCandidates {
  std::vector<LogCandidate> candidates;  ///< most likely first: by the log's words, fewest nodes
  std::string machine_by;                ///< what says so much; empty: nothing
};

struct CandidateReading {
  std::vector<TableCandidates> tables;
  std::vector<std::string> remarks;
};

/// Ranks and nodes that an open table may have on nodes of so many accelerators. Of open ranks full
/// nodes are assumed, on 1, 2, 4, 8 and 16 where busbw / algbw sets no bound.
std::vector<LogHints> placements_on(const OpenTable&, int accelerators_per_node);

/// Whether a cluster can be what the log was printed on: its nodes hold the ranks, it has a network
/// if there are several, and its vendor and network are none that NCCL's lines exclude.
bool may_have_printed(const Cluster&, const CollectiveTable&, const std::string& log);

/// Every table of a log with the clusters and placements that it allows: one where all is certain,
/// or where `asked` or the hints settle it. InputError where the log cannot be read, and where no
/// cluster fits.
CandidateReading read_candidates(const std::filesystem::path& log, LogHints hints,
                                 const Cluster* asked, const Library&, const Knowledge&);

}  // namespace evidence
}  // namespace tofn
