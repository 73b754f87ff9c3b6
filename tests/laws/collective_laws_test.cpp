#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <string>

#include "sim/collectives/algorithm.hpp"
#include "tests/catch.hpp"
#include "tests/laws/machines.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

constexpr std::array payloads{8_B, 1_KiB, 16_KiB, 256_KiB, 1_MiB, 4_MiB, 32_MiB, 256_MiB, 1_GiB};
/// Tolerance for the rounding of a few additions.
constexpr double rounding = 1e-12;

std::string describe(const Algorithm& algorithm, const Communicator& c) {
  std::string text(algorithm.name);
  for (const auto& [name, protocol] : protocol_names)
    if (algorithm.protocol == protocol) text += ' ' + std::string(name);
  for (const auto& [name, kind] : collective_kinds)
    if (kind == algorithm.collective) text += ' ' + std::string(name);
  return text + ": " + std::to_string(c.ranks) + " ranks, " + std::to_string(c.ranks_per_domain) +
         " per domain, " + std::to_string(c.leaves) + " leaves";
}

/// Calls f(algorithm, communicator, cluster) for every algorithm that supports the communicator.
template <class F>
void collective_laws_for_each_case(F f) {
  for (const Cluster& cluster : library().clusters()) {
    INFO(cluster.name);
    for (const Communicator& c : communicators(cluster))
      for (const Algorithm& algorithm : collective_algorithms())
        if (algorithm.supports(c, true)) {
          INFO(describe(algorithm, c));
          f(algorithm, c, cluster);
        }
  }
}

bool never_falls(double before, double after) { return after >= before * (1 - rounding); }

}  // namespace

TEST_CASE("one rank costs nothing, and nothing costs nothing") {
  for (const Cluster& cluster : library().clusters())
    for (const auto& [name, kind] : collective_kinds)
      for (const bool in_network : {false, true}) {
        INFO(cluster.name << ' ' << name);
        const Communicator alone = place({.stride = 1, .count = 1}, cluster, 1);
        CHECK(collective_cost(kind, 1_GiB, alone, in_network) == Cost{});
        const Communicator pair = place({.stride = 1, .count = 2}, cluster, 2);
        CHECK(collective_cost(kind, 0_B, pair, in_network) == Cost{});
      }
}

TEST_CASE("every collective has an algorithm for every communicator") {
  for (const Cluster& cluster : library().clusters())
    for (const Communicator& c : communicators(cluster))
      for (const auto& [name, kind] : collective_kinds) {
        const Cost cost = collective_cost(kind, 1_MiB, c, false);
        INFO(cluster.name << ' ' << name << ' ' << c.ranks);
        CHECK(std::isfinite(cost.time.base()));
        CHECK(cost.basis == c.basis);
      }
}

TEST_CASE("asking for reduction in the network never costs time") {
  for (const Cluster& cluster : library().clusters())
    for (const Communicator& c : communicators(cluster))
      for (const Bytes payload : payloads)
        CHECK(collective_cost(CollectiveKind::AllReduce, payload, c, true).time <=
              collective_cost(CollectiveKind::AllReduce, payload, c, false).time);
}

TEST_CASE("a message costs time, however small") {
  collective_laws_for_each_case(
      [](const Algorithm& algorithm, const Communicator& c, const Cluster&) {
        CHECK(algorithm.time(1_B, c, fitted_ramps()) > 0.1_us);
      });
}

TEST_CASE("the cost never falls with the payload") {
  collective_laws_for_each_case(
      [](const Algorithm& algorithm, const Communicator& c, const Cluster&) {
        for (std::size_t i = 1; i < payloads.size(); ++i)
          CHECK(algorithm.time(payloads[i - 1], c, fitted_ramps()) <
                algorithm.time(payloads[i], c, fitted_ramps()));
      });
}

TEST_CASE("a faster link never slows a collective") {
  collective_laws_for_each_case(
      [](const Algorithm& algorithm, const Communicator& c, const Cluster&) {
        for (const Bytes payload : {8_B, 1_MiB, 1_GiB})
          for (Link Communicator::*link : {&Communicator::scale_up, &Communicator::network}) {
            Communicator wider = c;
            (wider.*link).bandwidth *= 2;
            CHECK(algorithm.time(payload, wider, fitted_ramps()) <=
                  algorithm.time(payload, c, fitted_ramps()));
            Communicator quicker = c;
            (quicker.*link).latency *= 0.5;
            CHECK(algorithm.time(payload, quicker, fitted_ramps()) <=
                  algorithm.time(payload, c, fitted_ramps()));
          }
      });
}

TEST_CASE("some faster link speeds every collective up") {
  collective_laws_for_each_case([](const Algorithm& algorithm, const Communicator& c,
                                   const Cluster&) {
    if (algorithm.protocol == Protocol::LL && !c.one_domain()) return;  // limited by the hosts
    Communicator better = c;
    better.scale_up.bandwidth *= 2;
    better.network.bandwidth *= 2;
    CHECK(algorithm.time(1_GiB, better, fitted_ramps()) < algorithm.time(1_GiB, c, fitted_ramps()));
  });
}

TEST_CASE("no algorithm outruns the nominal rates of its links") {
  collective_laws_for_each_case([](const Algorithm& algorithm, const Communicator& c,
                                   const Cluster& cluster) {
    const BytesPerSecond inside = cluster.scale_up.bandwidth.value;
    for (const Bytes payload : payloads) {
      const LinkTraffic moved = algorithm.traffic(payload, c);
      CHECK(algorithm.time(payload, c, fitted_ramps()) > moved.scale_up / inside);
      if (c.one_domain()) {
        CHECK(moved.network == 0_B);
      } else {
        const BytesPerSecond outside = cluster.network->nic_bandwidth.value *
                                       (static_cast<double>(cluster.network->nics_per_node.value) /
                                        cluster.accelerators_per_node.value);
        CHECK(algorithm.time(payload, c, fitted_ramps()) > moved.network / outside);
      }
    }
  });
}

namespace {

constexpr std::array node_counts{1, 2, 3, 4, 5, 8, 9, 16, 32, 33, 54, 64, 128, 1024};

/// Calls f(communicator) for growing numbers of nodes, with all ranks or one rank per node.
template <class F>
void for_growing(const Cluster& cluster, bool one_per_node, F f) {
  const int per_node = cluster.accelerators_per_node.value;
  const int stride = one_per_node ? per_node : 1;
  for (const int nodes : node_counts) {
    const int job = nodes * per_node;
    if (!fits(cluster, job) || job / stride < 2) continue;
    const Communicator c = place({.stride = stride, .count = job / stride}, cluster, job);
    if (domains_are_even(c)) f(c);
  }
}

/// True if the nodes only add ranks at the end of one domain, or whole domains of the same size. A
/// job of 20 nodes on two racks of 18, for example, has fewer ranks and NICs in each rack than one
/// of 36.
bool only_grows(const std::optional<Communicator>& before, const Communicator& now) {
  if (!before) return false;
  return before->ranks_per_domain == now.ranks_per_domain ||
         (before->one_domain() && now.one_domain());
}

bool is_power_of_two(int ranks) { return std::has_single_bit(static_cast<unsigned>(ranks)); }

/// Number of times that the time of an algorithm falls as nodes are added to a machine.
int falls(const Algorithm& algorithm, const Cluster& cluster) {
  int count = 0;
  for (const bool one_per_node : {false, true})
    for (const Bytes payload : payloads) {
      std::optional<Communicator> smaller;
      for_growing(cluster, one_per_node, [&](const Communicator& c) {
        if (!algorithm.supports(c, true)) return;
        // Ranks beyond a power of two fold into fewer, so that 24 take longer than 32.
        if (algorithm.name == "halving-doubling" && !is_power_of_two(c.ranks)) return;
        // A slice of 64 chips closes its lines into rings, but one of 32 does not.
        if (algorithm.name == "torus") return;
        const double time = algorithm.time(payload, c, fitted_ramps()).base();
        if (only_grows(smaller, c) &&
            !never_falls(algorithm.time(payload, *smaller, fitted_ramps()).base(), time))
          ++count;
        smaller = c;
      });
    }
  return count;
}

}  // namespace

TEST_CASE("no algorithm gets cheaper as nodes are added") {
  for (const Cluster& cluster : library().clusters())
    for (const Algorithm& algorithm : collective_algorithms()) {
      if (is_slower_inside(cluster)) continue;
      INFO(cluster.name << ' ' << algorithm.name << ' ' << static_cast<int>(algorithm.collective));
      CHECK(falls(algorithm, cluster) == 0);
    }
}

TEST_CASE("no collective gets cheaper as domains are added") {
  for (const Cluster& cluster : library().clusters())
    for (const auto& [name, kind] : collective_kinds)
      for (const Bytes payload : payloads) {
        if (cluster.scale_up.torus) continue;  // larger tori close their sides
        if (is_slower_inside(cluster)) continue;
        std::optional<Communicator> smaller;
        for_growing(cluster, false, [&, kind = kind, name = name](const Communicator& c) {
          if (c.one_domain() && cluster.scale_up.in_switch_reduction) return;
          const double time = collective_cost(kind, payload, c, false).time.base();
          INFO(cluster.name << ' ' << name << ", " << c.ranks << " ranks, " << payload.base());
          if (only_grows(smaller, c))
            CHECK(never_falls(collective_cost(kind, payload, *smaller, false).time.base(), time));
          smaller = c;
        });
      }
}

TEST_CASE("latency depends on the size of the group") {
  for (const Cluster& cluster : library().clusters()) {
    const int per_node = cluster.accelerators_per_node.value;
    if (!fits(cluster, 64 * per_node) || per_node < 2 || cluster.scale_up.torus) continue;
    for (const auto kind : {CollectiveKind::AllReduce, CollectiveKind::ReduceScatter,
                            CollectiveKind::AllGather, CollectiveKind::AllToAll}) {
      Seconds before;
      for (const int ranks : {2, 4 * per_node, 16 * per_node, 64 * per_node}) {
        const Communicator c = place({.stride = 1, .count = ranks}, cluster, ranks);
        const Seconds time = collective_cost(kind, 8_B, c, false).time;
        INFO(cluster.name << ' ' << ranks);
        // An in-switch reduction in one domain takes only its start, which is equal for any number.
        const bool in_switch = kind == CollectiveKind::AllReduce && c.one_domain() &&
                               c.scale_up.reduces_in_switch && ranks > 4 * per_node;
        CHECK((in_switch ? time > 0.999 * before : time > before));
        before = time;
      }
    }
  }
}
