#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/evidence/machine_of_log.hpp"
#include "sim/formats/collective_logs/collective_log.hpp"

namespace tofn {
inline namespace evidence {

/// A possible machine and placement of a table.
struct LogCandidate {
  const Cluster* cluster = nullptr;
  CollectiveTable table;  ///< placed
  int words = 0;          ///< words of the cluster's name that the log has (shared_words)
};

/// Possible machines of a table.
struct TableCandidates {
  std::vector<LogCandidate> candidates;  ///< most likely first: most words in the log, fewest nodes
  std::string machine_by;                ///< the words that identify the machine; empty if there
                                         ///< are none
};

struct CandidateReading {
  std::vector<TableCandidates> tables;
  std::vector<std::string> remarks;
};

/// Possible ranks and nodes of an open table on nodes of this size. If the ranks are open, full
/// nodes are assumed: 1, 2, 4, 8 and 16 if busbw / algbw sets no bound.
std::vector<LogHints> placements_on(const OpenTable&, int accelerators_per_node);

/// True if the log may have been printed on the cluster: its nodes hold the ranks, it has a network
/// if there are several, and NCCL's lines exclude neither its vendor nor its network.
bool may_have_printed(const Cluster&, const CollectiveTable&, const std::string& log);

/// Every table of a log with its possible clusters and placements: one if all is certain, or if
/// `request` or the hints settle it. InputError if the log cannot be read or no cluster fits.
CandidateReading read_candidates(const std::filesystem::path& log, LogHints hints,
                                 const Cluster* request, const Library&, const Knowledge&);

}  // namespace evidence
}  // namespace tofn
