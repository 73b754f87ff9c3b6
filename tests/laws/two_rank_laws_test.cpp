#include <algorithm>
#include <array>
#include <string>

#include "sim/collectives/algorithm.hpp"
#include "tests/catch.hpp"
#include "tests/laws/machines.hpp"

// Every collective between two ranks is a few sends over one link. These tests write out by hand
// what NCCL's tuner counts for NVLink and InfiniBand: a start, the hops there and back, and the
// payload over the share of the link that the protocol reaches.
using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

struct ClosedForm {
  std::string_view algorithm;
  Protocol protocol;
  CollectiveKind collective;
  double start_us;
  int hops;
  double inside_us;   ///< microseconds a hop if the file has 1.9 us
  double between_us;  ///< microseconds a hop if the file has 5 us
  double payloads;
  double inside_share;
  double between_share;
};

constexpr auto two_rank_laws_AR = CollectiveKind::AllReduce;
constexpr auto two_rank_laws_RS = CollectiveKind::ReduceScatter;
constexpr auto two_rank_laws_AG = CollectiveKind::AllGather;
constexpr auto B = CollectiveKind::Broadcast;

constexpr std::array closed_forms{
    // Half goes to the other rank to be summed, and the sum of the other half comes back.
    ClosedForm{"ring", Protocol::LL, two_rank_laws_AR, 6.6, 2, 0.6, 5, 1, 0.39, 0.39},
    ClosedForm{"ring", Protocol::LL, two_rank_laws_RS, 6.6, 1, 0.6, 5, 0.5, 0.39, 0.39},
    ClosedForm{"ring", Protocol::LL, two_rank_laws_AG, 6.6, 1, 0.6, 5, 0.5, 0.39, 0.39},
    ClosedForm{"ring", Protocol::LL, B, 6.6, 1, 0.6, 5, 1, 0.39, 0.39},
    ClosedForm{"ring", Protocol::LL128, two_rank_laws_AR, 14, 2, 1.9, 8.5, 1, 0.92, 0.92},
    ClosedForm{"ring", Protocol::LL128, two_rank_laws_RS, 14, 1, 1.9, 8.5, 0.5, 0.92, 0.92},
    ClosedForm{"ring", Protocol::LL128, two_rank_laws_AG, 14, 1, 1.9, 8.5, 0.5, 0.92, 0.92},
    ClosedForm{"ring", Protocol::LL128, B, 14, 1, 1.9, 8.5, 1, 0.92, 0.92},
    ClosedForm{"ring", Protocol::Simple, two_rank_laws_AR, 8.4, 2, 3.4, 14, 1, 1, 1},
    ClosedForm{"ring", Protocol::Simple, two_rank_laws_RS, 8.4, 1, 3.4, 14, 0.5, 1, 1},
    ClosedForm{"ring", Protocol::Simple, two_rank_laws_AG, 8.4, 1, 3.4, 14, 0.5, 1, 1},
    ClosedForm{"ring", Protocol::Simple, B, 8.4, 1, 3.4, 14, 1, 1, 1},
    // Everything goes up to the root and the sum comes down; between domains in two trees, each
    // half one way. Shares hold at 64 B and from 1 GiB on, where the tuner's corrections are 1 (for
    // Simple 0.9 and 1).
    ClosedForm{"tree", Protocol::LL, two_rank_laws_AR, 6.8, 2, 0.6, 5, 2, 0.92 / 3.8,
               2 * 0.86 / 3.8},
    ClosedForm{"tree", Protocol::LL128, two_rank_laws_AR, 14, 2, 1.25, 8.5, 2, 0.72, 2 * 0.72},
    ClosedForm{"tree", Protocol::Simple, two_rank_laws_AR, 8.4, 2, 4, 14, 2, 0.92, 2 * 0.86},
};

const Algorithm& algorithm_of(const ClosedForm& form) {
  for (const Algorithm& each : collective_algorithms())
    if (each.name == form.algorithm && each.protocol == form.protocol &&
        each.collective == form.collective)
      return each;
  throw InputError("no such algorithm: " + std::string(form.algorithm));
}

void check(const ClosedForm& form, const Communicator& pair, double hop_us, double share,
           BytesPerSecond bandwidth) {
  const Algorithm& algorithm = algorithm_of(form);
  if (!algorithm.supports(pair, true)) return;
  INFO(form.algorithm << ' ' << static_cast<int>(form.protocol) << ' '
                      << static_cast<int>(form.collective));
  // LL is limited to 39 GB/s between two nodes, because hosts poll it.
  double speed = share * bandwidth.base();
  if (form.protocol == Protocol::LL && !pair.one_domain()) speed = std::min(speed, 39e9);
  for (const double bytes : {64.0, 4e9}) {
    const bool is_small_tree =
        form.algorithm == "tree" && form.protocol == Protocol::Simple && bytes < 1e6;
    const double seconds = 1e-6 * (form.start_us + form.hops * hop_us) +
                           form.payloads * bytes / speed / (is_small_tree ? 0.9 : 1.0);
    CHECK_THAT(algorithm.time(Bytes{bytes}, pair, Ramps{}).base(), WithinRel(seconds, 1e-9));
    // Time to fill the pipelines comes on top, once more between nodes.
    const Ramp four{4_us, 64_B};
    const Ramps ramp{four, four, four, four};
    const double fillings = pair.scale_up.filling + (pair.one_domain() ? 0 : pair.network.filling);
    const double filled = fillings * 4e-6 * bytes / (bytes + 64);
    CHECK_THAT(algorithm.time(Bytes{bytes}, pair, ramp).base(), WithinRel(seconds + filled, 1e-9));
  }
}

}  // namespace

TEST_CASE("two ranks of a domain match the closed form") {
  for (const Cluster& cluster : library().clusters()) {
    INFO(cluster.name);
    const ScaleUpFabric& fabric = cluster.scale_up;
    if (fabric.domain_accelerators < 2) continue;
    const Communicator pair = place({.stride = 1, .count = 2}, cluster, 2);
    for (const ClosedForm& form : closed_forms)
      check(form, pair, form.inside_us * fabric.latency.value.base() / 1.9e-6, form.inside_share,
            fabric.bandwidth.value * fabric.bandwidth_efficiency.value);
  }
}

TEST_CASE("two ranks of two domains match the closed form") {
  for (const Cluster& cluster : library().clusters()) {
    INFO(cluster.name);
    const int domain = cluster.scale_up.domain_accelerators;
    if (!fits(cluster, 2 * domain)) continue;
    const Network& network = *cluster.network;
    const Communicator pair = place({.stride = domain, .count = 2}, cluster, 2 * domain);
    // All accelerators of a node share its NICs, because each runs such a pair.
    const int nodes = 2 * domain / cluster.accelerators_per_node;
    const double spine = nodes > network.nodes_per_leaf ? network.oversubscription.value : 1;
    const BytesPerSecond share = network.nic_bandwidth.value * network.nics_per_node.value *
                                 network.bandwidth_efficiency.value /
                                 cluster.accelerators_per_node.value / spine;
    const double latency_us = network.latency.value.base() * 1e6;
    for (const ClosedForm& form : closed_forms) {
      const double hop_us =
          latency_us < 5 ? form.between_us * latency_us / 5 : form.between_us + latency_us - 5;
      check(form, pair, hop_us, form.between_share, share);
    }
  }
}

TEST_CASE("two ranks exchange and pass on over one link") {
  for (const Cluster& cluster : library().clusters()) {
    INFO(cluster.name);
    if (cluster.library == CollectiveLibrary::Mpi) continue;
    const ScaleUpFabric& fabric = cluster.scale_up;
    if (fabric.domain_accelerators < 2) continue;
    const Communicator pair = place({.stride = 1, .count = 2}, cluster, 2);
    // Simple's start and hop on NVLink, or one of the chip's links on a torus.
    const Seconds start =
        fabric.torus ? fabric.latency.value : 8.4_us + 3.4 * (fabric.latency.value / 1.9);
    const BytesPerSecond link = fabric.bandwidth.value * fabric.bandwidth_efficiency.value /
                                (fabric.torus ? 2.0 * fabric.torus->dimensions.value : 1.0);
    const auto seconds = [&](CollectiveKind kind, const Ramps& ramps) {
      return collective_cost(kind, 1_GB, pair, false, ramps).time.base();
    };
    CHECK_THAT(seconds(CollectiveKind::AllToAll, {}),
               WithinRel((start + 0.5 * 1_GB / link).base(), 1e-12));
    CHECK_THAT(seconds(CollectiveKind::SendReceive, {}),
               WithinRel((start + 1_GB / link).base(), 1e-12));
    if (fabric.torus) continue;
    const Ramps ramps{
        .ll = {}, .ll128 = {}, .simple = {.extra = 2_us, .half = 1_GB}, .in_switch = {}};
    CHECK_THAT(seconds(CollectiveKind::SendReceive, ramps),
               WithinRel((start + pair.scale_up.filling * 1_us + 1_GB / link).base(), 1e-12));
  }
}

TEST_CASE("every ring and tree has its closed form for two ranks") {
  for (const Algorithm& each : collective_algorithms()) {
    const auto is_of = [&](const ClosedForm& form) {
      return each.name == form.algorithm && each.protocol == form.protocol &&
             each.collective == form.collective;
    };
    INFO(each.name);
    CHECK(std::count_if(closed_forms.begin(), closed_forms.end(), is_of) ==
          (each.name == "ring" || each.name == "tree" ? 1 : 0));
  }
}
