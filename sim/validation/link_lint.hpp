#pragma once

#include <optional>
#include <string>

#include "sim/cluster/cluster.hpp"
#include "sim/collectives/algorithm.hpp"
#include "sim/curves/collective_table.hpp"
#include "sim/validation/lint.hpp"

namespace tofn {
inline namespace validation {

/// The cluster with links that carry all of their nominal bandwidth.
Cluster with_full_links(Cluster);

/// Places ranks of a cluster on its nominal links, each with its share of the NICs of the node.
/// InputError if the ranks do not fit.
Communicator nominal_links(const Cluster&, int ranks, int nodes);

/// Least time that a payload needs on such links, and what limits it.
struct LinkBound {
  Seconds time;
  std::string_view algorithm;  ///< algorithm with the least time
  std::string_view tier;       ///< `scale-up` or `network`
  Bytes moved;                 ///< on that tier, per rank and direction
  BytesPerSecond bandwidth;    ///< of that tier, per rank and direction
};

/// Least time over all supported algorithms, including reduction in switches: the time of the
/// busier tier for the bytes that the algorithm must move there. Needs at least two ranks.
LinkBound least_time(CollectiveKind, Bytes payload, const Communicator& nominal);

/// A row that is faster than its links allow.
struct BeyondLinks {
  int line = 0;         ///< in the table's file; 0: unknown
  std::string problem;  ///< `1 GB took 500 us, but ...`
};

/// First row that is faster than the links allow; absent if there is none. InputError if the ranks
/// do not fit the cluster.
std::optional<BeyondLinks> beyond_links(const CollectiveTable&, const Cluster&);

/// Returns faults_of(table); rows that are faster than the cluster's links allow are impossible
/// too.
Faults faults_on(const CollectiveTable&, const Cluster&);

}  // namespace validation
}  // namespace tofn
