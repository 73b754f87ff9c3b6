#include "sim/collectives/tree.hpp"

#include <bit>

namespace tofn {
namespace {

bool always(const Communicator&, bool) { return true; }

/// Depth of a binary tree over n members: ceil(log2 n).
int depth(int members) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(members) - 1U));
}

/// NCCL's double binary tree: a chain in the domain, trees between domains, reduced up and
/// broadcast down while chunks follow one another, so every link carries the payload twice.
/// Sanders, Speck, Traff, "Two-tree algorithms for full bandwidth", Parallel Computing 2009.
LinkTraffic traffic(Bytes payload, const Communicator& c) {
  return {.scale_up = c.ranks_per_domain > 1 ? 2 * payload : Bytes{},
          .network = c.one_domain() ? Bytes{} : 2 * payload / c.ranks_per_domain};
}

Seconds time(Bytes payload, const Communicator& c) {
  const int between = c.one_domain() ? 0 : depth(c.domains);
  const Seconds latency =
      2 * ((c.ranks_per_domain - 1) * c.scale_up.latency + between * c.network.latency);
  return latency + transfer_time(traffic(payload, c), c);
}

}  // namespace

const Algorithm tree_all_reduce{"tree", CollectiveKind::AllReduce, always, time, traffic};

}  // namespace tofn
