#include <algorithm>
#include <string>

#include "sim/collectives/algorithm.hpp"
#include "tests/catch.hpp"
#include "tests/laws/machines.hpp"

// Lower bounds on the bytes of any algorithm, for S bytes over n ranks in d domains of k. They
// follow from what every rank and domain must send or learn, not from an algorithm.
using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

constexpr Bytes payload = 1_GiB;

bool reduces_in_a_switch(const Algorithm& algorithm) {
  return algorithm.name.starts_with("in-switch") || algorithm.name == "in-network";
}

/// Share of S that crosses a border one way between `members` equal members: each must learn (or
/// hand over) the parts of all the others.
double others_share(double members) { return (members - 1) / members; }

/// Least share of S that the busiest of `members` equal members sends or receives.
double least_share(const Algorithm& algorithm, double members) {
  switch (algorithm.collective) {
    case CollectiveKind::AllReduce:
      // If members reduce, each part is sent to be summed and sent again as a sum: 2(n-1)/n. If a
      // switch reduces, everything goes up once and the sums come down once.
      return reduces_in_a_switch(algorithm) ? 1 : 2 * others_share(members);
    case CollectiveKind::SendReceive:
    case CollectiveKind::Broadcast:
      return 1;
    case CollectiveKind::ReduceScatter:
    case CollectiveKind::AllGather:
    case CollectiveKind::AllToAll:
      break;
  }
  return others_share(members);
}

/// Least share of S for each of the `ranks` NICs of a domain, which share the domain's traffic. In
/// an all-to-all every rank has its own data to exchange.
double least_network_share(const Algorithm& algorithm, const Communicator& c, double ranks) {
  if (algorithm.collective == CollectiveKind::AllToAll) return (c.ranks - ranks) / c.ranks;
  if (algorithm.collective == CollectiveKind::SendReceive) return 1;
  // Switches add up what leaves their domains, but the tree between domains does not.
  if (algorithm.name == "in-switch tree") return 2 * others_share(c.domains) / ranks;
  return least_share(algorithm, c.domains) / ranks;
}

bool at_least(Bytes moved, double share) {
  return moved.base() >= share * payload.base() * (1 - 1e-12);
}

template <class F>
void for_each_case(F f) {
  for (const Cluster& cluster : library().clusters())
    for (const Communicator& c : communicators(cluster))
      for (const Algorithm& algorithm : collective_algorithms()) {
        if (!algorithm.supports(c, true)) continue;
        INFO(cluster.name << ' ' << algorithm.name << ' ' << static_cast<int>(algorithm.collective)
                          << ": " << c.ranks << " ranks, " << c.ranks_per_domain << " per domain");
        f(algorithm, c);
      }
}

}  // namespace

TEST_CASE("no algorithm moves less than every rank must") {
  for_each_case([](const Algorithm& algorithm, const Communicator& c) {
    const LinkTraffic moved = algorithm.traffic(payload, c);
    CHECK(at_least(moved.scale_up + moved.network, least_share(algorithm, c.ranks)));
  });
}

TEST_CASE("no algorithm moves less between domains than a full domain must") {
  for_each_case([](const Algorithm& algorithm, const Communicator& c) {
    if (c.one_domain()) return;
    const LinkTraffic moved = algorithm.traffic(payload, c);
    CHECK(at_least(moved.network, least_network_share(algorithm, c, c.ranks_per_domain)));
  });
}

TEST_CASE("no algorithm moves less inside a domain than its ranks must") {
  for_each_case([](const Algorithm& algorithm, const Communicator& c) {
    const LinkTraffic moved = algorithm.traffic(payload, c);
    if (c.ranks_per_domain == 1) {
      CHECK(moved.scale_up == 0_B);
      return;
    }
    const double k = c.ranks_per_domain;
    const double part = algorithm.collective == CollectiveKind::AllToAll ? (k - 1) / c.ranks
                        : algorithm.collective == CollectiveKind::SendReceive
                            ? 1
                            : least_share(algorithm, k);
    // Bytes beyond a NIC's share need not be passed on inside.
    const Bytes beyond =
        c.one_domain() ? 0_B : moved.network - least_network_share(algorithm, c, k) * payload;
    CHECK(at_least(moved.scale_up + std::max(0_B, beyond), part));
  });
}

TEST_CASE("no algorithm takes less time than the least bytes need on its links") {
  for_each_case([](const Algorithm& algorithm, const Communicator& c) {
    const Seconds time = algorithm.time(payload, c, fitted_ramps());
    if (c.one_domain()) {
      CHECK(time.base() >
            least_share(algorithm, c.ranks) * payload.base() / (c.scale_up.bandwidth.base()));
    } else {
      const double share = least_network_share(algorithm, c, c.ranks_per_domain);
      CHECK(time.base() > share * payload.base() / c.network.bandwidth.base());
    }
  });
}

// The last domain of an uneven communicator has fewer NICs for the same bytes.
TEST_CASE("no algorithm moves less between domains than the smallest domain must") {
  for_each_case([](const Algorithm& algorithm, const Communicator& c) {
    if (c.one_domain()) return;
    const int smallest = c.ranks - c.ranks_per_domain * (c.domains - 1);
    const LinkTraffic moved = algorithm.traffic(payload, c);
    CHECK(at_least(moved.network, least_network_share(algorithm, c, smallest)));
  });
}
