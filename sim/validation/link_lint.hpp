#pragma once

#include <optional>
#include <string>

#include "sim/cluster/cluster.hpp"
#include "sim/collectives/algorithm.hpp"
#include "sim/measurements/collective_table.hpp"
#include "sim/validation/lint.hpp"

namespace tofn {
inline namespace validation {

/// Ranks of a cluster on its nominal links, each with as much of its node's NICs as the others of
/// the job leave it. InputError where the ranks do not fit.
Communicator nominal_links(const Cluster&, int ranks, int nodes);

/// The least time that a payload needs on such links, and what sets it.
struct LinkBound {
  Seconds time;
  std::string_view algorithm;  ///< the one that needs least
  std::string_view tier;       ///< `scale-up` or `network`
  Bytes moved;                 ///< on that tier, per rank and direction
  BytesPerSecond bandwidth;    ///< of it, per rank and direction
};

/// Over all supported algorithms, reduction in switches included, the least that the busier tier
/// takes for the bytes that the algorithm must move there. Asks for two ranks.
LinkBound least_time(CollectiveKind, Bytes payload, const Communicator& nominal);

/// A row that took less than its links need.
struct BeyondLinks {
  int line = 0;         ///< in the table's file; 0: not known
  std::string problem;  ///< `1 GB took 500 us, but ...`
};

/// The first such row; none where all could be. InputError where the ranks do not fit the cluster.
std::optional<BeyondLinks> beyond_links(const CollectiveTable&, const Cluster&);

/// faults_of(table), and rows beyond the cluster's links as impossible.
Faults faults_on(const CollectiveTable&, const Cluster&);

}  // namespace validation
}  // namespace tofn
