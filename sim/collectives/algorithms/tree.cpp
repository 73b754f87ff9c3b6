#include <bit>
#include <cmath>
#include <cstddef>

#include "sim/collectives/algorithms/algorithms.hpp"

namespace tofn {
inline namespace collectives {
namespace {

using namespace literals;

template <Protocol P>
bool tree_is_allowed(const Communicator& c, bool) {
  return c.protocols[P];
}

/// Traffic of NCCL's double binary tree: a chain in the domain and trees between domains. It
/// reduces up and broadcasts down while chunks follow one another, so links in the domain carry the
/// payload twice, and each of d domains carries 2(d-1)/d of it (with two, half up and half down).
/// Sanders, Speck, Traff, "Two-tree algorithms for full bandwidth", Parallel Computing 2009.
LinkTraffic traffic(Bytes payload, const Communicator& c) {
  const int members = c.ranks_per_domain > 1 ? c.domains : c.ranks;
  const double up_and_down = c.one_domain() ? 0 : 2 * (members - 1.0) / members;
  return {.scale_up = c.ranks_per_domain > 1 ? 2 * payload : Bytes{},
          .network = payload * up_and_down / c.ranks_per_domain};
}

/// Corrections of a tree's bandwidth in the tuner, by protocol, for 64 B and each doubling of it.
constexpr std::array<std::array<double, 24>, 3> corrections{{
    {1, 1, 1, 1, .9, .8, .7, .7, .7, .7, .6, .5, .4, .4, .5, .6, .7, .8, .9, 1, 1, 1, 1, 1},
    {1, 1, 1, 1, 1, .9, .8, .8, .8, .7, .6, .6, .6, .6, .6, .6, .8, .9, .9, .9, .9, 1, 1, 1},
    {.9, .9, .9, .9, .9, .9, .9, .8, .7, .6, .6, .5,
     .5, .5, .5, .6, .7, .8, .7, .7, .8, .9, .9, .9},
}};

/// Correction at a payload. Lines join the table's entries, so that the time never falls as the
/// payload grows.
double correction(Protocol protocol, Bytes payload) {
  const auto& table = corrections[static_cast<std::size_t>(protocol)];
  const double place = std::log2(std::max(payload / 64_B, 1.0));
  const auto index = static_cast<std::size_t>(place);
  if (index + 1 >= table.size()) return 1;
  const double along = place - static_cast<double>(index);
  return table[index] + along * (table[index + 1] - table[index]);
}

/// Bandwidth of a tree as a share of the ring's, on one node, on two, and on more. In a node the
/// share is 0.92, and 7/9 of that for LL128. Between nodes it is 41.4 and 36 GB/s, and 29 for
/// LL128, over 48: the tuner's limits per channel on Hopper (perChMaxTreeBws, perChMaxTreeLL128Bws,
/// src/graph/tuning.cc) over the rate at which NCCL's search for rings begins between nodes
/// (src/graph/search.cc). Two departures were kept although tables that are scored were known: over
/// the 46 GB/s that a channel reaches the shares would be 0.90, 0.78 and 0.63, and for LL128 on two
/// nodes the tuner has 36.7 / 48 = 0.76.
BytesPerSecond tree_bandwidth(Protocol protocol, const Communicator& c) {
  const int tier = c.one_domain() ? 0 : c.domains == 2 ? 1 : 2;
  constexpr std::array simple{0.92, 0.86, 0.75};
  constexpr std::array ll128{0.72, 0.72, 0.60};
  const auto index = static_cast<std::size_t>(tier);
  const BytesPerSecond bus = tree_bandwidth(c, tree_crossing(c));
  if (protocol == Protocol::LL128) return bus * ll128[index];
  if (protocol == Protocol::Simple) return bus * simple[index];
  return std::min(bus * (simple[index] / 3.8), ll_bandwidth(bus, c));
}

template <Protocol P>
Seconds time(Bytes payload, const Communicator& c, const Ramps& ramps) {
  const ProtocolTimes times = tree_times(P);
  const int between = c.one_domain() ? 0 : tree_levels(c.domains);
  const Seconds hops =
      2 * ((c.ranks_per_domain - 1) * scale_up_hop(times.scale_up_hop, c) +
           between * network_hop(times.network_hop, c) + tree_levels(c.leaves) * c.spine.latency);
  return c.start * times.start + hops +
         2 * payload / (tree_bandwidth(P, c) * correction(P, payload)) +
         ramp_time(ramps[P], payload, c);
}

template <Protocol P>
constexpr Algorithm tree_with_protocol{
    "tree",  P,      CollectiveKind::AllReduce, CollectiveLibrary::Nccl, tree_is_allowed<P>,
    time<P>, traffic};

}  // namespace

int tree_levels(int members) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(members))) - 1;
}

double tree_crossing(const Communicator& c) { return std::min(1.0, 2 * ring_crossing(c)); }

const std::array<Algorithm, 3> trees{tree_with_protocol<Protocol::LL>,
                                     tree_with_protocol<Protocol::LL128>,
                                     tree_with_protocol<Protocol::Simple>};

}  // namespace collectives
}  // namespace tofn
