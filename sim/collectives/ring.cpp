#include "sim/collectives/ring.hpp"

namespace tofn {
namespace {

bool always(const Communicator&, bool) { return true; }

/// One pass of a pipelined ring: n-1 hops, of which one in each domain crosses the network; every
/// rank forwards (n-1)/n of the payload. With k ranks per domain the k rings of the domain cross on
/// k NICs, each with 1/k of the payload.
/// Patarasuk & Yuan, "Bandwidth optimal all-reduce algorithms", JPDC 2009.
LinkTraffic pass_traffic(Bytes payload, const Communicator& c) {
  const double share = (c.ranks - 1.0) / c.ranks;
  return {.scale_up = c.ranks_per_domain > 1 ? payload * share : Bytes{},
          .network = c.one_domain() ? Bytes{} : payload * share / c.ranks_per_domain};
}

Seconds pass_time(Bytes payload, const Communicator& c) {
  const int crossings = c.one_domain() ? 0 : c.domains - 1;
  const Seconds latency =
      crossings * c.network.latency + (c.ranks - 1 - crossings) * c.scale_up.latency;
  return latency + transfer_time(pass_traffic(payload, c), c);
}

Seconds both_passes_time(Bytes payload, const Communicator& c) { return 2 * pass_time(payload, c); }

LinkTraffic both_passes_traffic(Bytes payload, const Communicator& c) {
  const LinkTraffic once = pass_traffic(payload, c);
  return {.scale_up = 2 * once.scale_up, .network = 2 * once.network};
}

}  // namespace

const Algorithm ring_all_reduce{"ring", CollectiveKind::AllReduce, always, both_passes_time,
                                both_passes_traffic};
const Algorithm ring_reduce_scatter{"ring", CollectiveKind::ReduceScatter, always, pass_time,
                                    pass_traffic};
const Algorithm ring_all_gather{"ring", CollectiveKind::AllGather, always, pass_time, pass_traffic};

}  // namespace tofn
