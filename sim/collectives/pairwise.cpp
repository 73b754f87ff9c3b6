#include "sim/collectives/pairwise.hpp"

namespace tofn {
namespace {

bool always(const Communicator&, bool) { return true; }

/// Every rank holds `payload`, one n-th for each rank, as nccl-tests counts it: the parts for its
/// own domain travel over the scale-up fabric, those for other domains over its NIC.
LinkTraffic exchange_traffic(Bytes payload, const Communicator& c) {
  const double inside = (c.ranks_per_domain - 1.0) / c.ranks;
  const double outside = static_cast<double>(c.ranks - c.ranks_per_domain) / c.ranks;
  return {.scale_up = payload * inside, .network = payload * outside};
}

/// The exchange goes in rounds, one partner after the other, so the tiers' times add up.
Seconds exchange_time(Bytes payload, const Communicator& c, const Ramps&) {
  const int outside = c.ranks - c.ranks_per_domain;
  const LinkTraffic moved = exchange_traffic(payload, c);
  Seconds time = outside * c.network.latency + (c.ranks_per_domain - 1) * c.scale_up.latency;
  if (moved.scale_up.base() > 0) time += moved.scale_up / c.scale_up.bandwidth;
  if (moved.network.base() > 0) time += moved.network / c.network.bandwidth;
  return time;
}

LinkTraffic neighbour_traffic(Bytes payload, const Communicator& c) {
  return {.scale_up = c.ranks_per_domain > 1 ? payload : Bytes{},
          .network = c.one_domain() ? Bytes{} : payload};
}

Seconds neighbour_time(Bytes payload, const Communicator& c, const Ramps&) {
  const Seconds latency = c.one_domain() ? c.scale_up.latency : c.network.latency;
  return latency + transfer_time(neighbour_traffic(payload, c), c);
}

}  // namespace

const Algorithm pairwise_all_to_all{"pairwise", Protocol::Simple, CollectiveKind::AllToAll,
                                    always,     exchange_time,    exchange_traffic};
const Algorithm pairwise_send_receive{"pairwise", Protocol::Simple, CollectiveKind::SendReceive,
                                      always,     neighbour_time,   neighbour_traffic};

}  // namespace tofn
