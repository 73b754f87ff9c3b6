#include "sim/collectives/algorithms/algorithms.hpp"

namespace tofn {
inline namespace collectives {
namespace {

using namespace literals;

bool in_one_domain(const Communicator& c, bool) { return c.one_domain(); }

/// Bandwidth of one rank. On a mesh only the links to ranks of the group carry traffic; a switch
/// forwards everything that a rank sends.
BytesPerSecond bandwidth(const Communicator& c) {
  if (c.mesh_links == 0) return c.scale_up.bandwidth;
  return c.scale_up.bandwidth * ((c.ranks - 1.0) / c.mesh_links);
}

/// Start of a call on an H100 in NCCL's model of these kernels (2.30, src/sym_kernels.cc), with its
/// hops: first with a flag beside each 8 bytes, then with barriers.
constexpr Seconds flagged_start = 4.5_us;
constexpr Seconds barrier_start = 7.8_us;

/// Every rank, in one shot, sends its whole payload to all others and adds up what it receives. The
/// flags take half of the bandwidth.
LinkTraffic one_shot_traffic(Bytes payload, const Communicator& c) {
  return {.scale_up = (c.ranks - 1.0) * payload, .network = {}};
}
Seconds one_shot_time(Bytes payload, const Communicator& c, const Ramps&) {
  return scale_up_hop(flagged_start, c) + 2 * one_shot_traffic(payload, c).scale_up / bandwidth(c);
}

/// Every rank sends, in one pass, each other rank its part, or all of them its own. Two shots are a
/// reduce-scatter and an all-gather.
template <int Passes>
LinkTraffic passes_traffic(Bytes payload, const Communicator& c) {
  return {.scale_up = payload * (Passes * (c.ranks - 1.0) / c.ranks), .network = {}};
}
template <int Passes>
Seconds passes_time(Bytes payload, const Communicator& c, const Ramps&) {
  return scale_up_hop(barrier_start, c) +
         passes_traffic<Passes>(payload, c).scale_up / bandwidth(c);
}

constexpr Algorithm row(std::string_view name, CollectiveKind kind,
                        Seconds (*time)(Bytes, const Communicator&, const Ramps&),
                        LinkTraffic (*traffic)(Bytes, const Communicator&)) {
  return {name, {}, kind, CollectiveLibrary::Kernels, in_one_domain, time, traffic};
}

}  // namespace

const std::array<Algorithm, 4> direct{
    row("one-shot", CollectiveKind::AllReduce, one_shot_time, one_shot_traffic),
    row("two-shot", CollectiveKind::AllReduce, passes_time<2>, passes_traffic<2>),
    row("direct", CollectiveKind::ReduceScatter, passes_time<1>, passes_traffic<1>),
    row("direct", CollectiveKind::AllGather, passes_time<1>, passes_traffic<1>)};

}  // namespace collectives
}  // namespace tofn
