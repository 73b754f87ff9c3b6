#include "sim/diagnosis/causes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sim/collectives/algorithm.hpp"
#include "sim/core/quantity.hpp"
#include "sim/formats/text/stated_placement.hpp"

namespace tofn {
inline namespace diagnosis {
namespace {

using namespace literals;
using Factors = std::optional<LogFactors>;

/// Odds of a forced choice that the log does not show: those who force NCCL's choice mostly print
/// it beside the times (assumed).
constexpr double rarely_unsaid = 0.2;
/// Odds between nodes of switches that do not reduce, because that shows on one node first. Over
/// two nodes rings carry as much as trees over half the NICs, and these causes are named before
/// (assumed, beside made-up tables of both).
constexpr double seen_before = 0.5;

/// Value between `least` and `most` at this share of their logarithmic distance.
double between(double least, double most, double share) {
  return least * std::pow(most / least, share);
}

/// Index of one of `Kinds` varieties, starting with 0.
template <std::size_t Kinds>
std::size_t kind_of(double variety) {
  return std::min(Kinds - 1, static_cast<std::size_t>(variety * Kinds));
}

template <class Time>
LogFactors factors(const HealthyJob& job, const Time& slowed) {
  LogFactors result;
  for (const Bytes size : job.sizes) {
    const Seconds healthy = collective_cost(job.collective, size, job.links, false).time;
    result.push_back(std::log(slowed(size, healthy) / healthy));
  }
  return result;
}

LogFactors on_links(const HealthyJob& job, const Communicator& faulty) {
  return factors(job, [&](Bytes size, Seconds) {
    return collective_cost(job.collective, size, faulty, false).time;
  });
}

/// Factors if NCCL may only use the algorithms that are `allowed`; absent if none is left.
template <class IsAllowed>
Factors forced(const HealthyJob& job, const IsAllowed& is_allowed) {
  std::vector<const Algorithm*> left;
  for (const Algorithm& each : collective_algorithms())
    if (each.collective == job.collective && each.library == job.links.library &&
        is_allowed(each) && each.supports(job.links, false))
      left.push_back(&each);
  if (left.empty()) return {};
  return factors(job, [&](Bytes size, Seconds) {
    Seconds least{std::numeric_limits<double>::infinity()};
    for (const Algorithm* each : left)
      least = std::min(least, each->time(size, job.links, fitted_ramps()));
    return least;
  });
}

bool has_rdma(const NcclFacts& facts) { return facts.has_rdma(); }
bool writes_to_devices(const NcclFacts& facts) { return facts.writes_to_devices; }

bool crosses_network(const HealthyJob& job) {
  return !job.links.one_domain() && job.cluster.network.has_value();
}

/// True if NCCL reaches the NICs through a plugin of the fabric's vendor (aws-ofi-nccl, Google's)
/// and not by verbs.
bool needs_plugin(const HealthyJob& job) {
  const std::string& family = job.cluster.network->family.name;
  return family == "slingshot" || family == "efa" || family == "tcpx";
}

/// True for collectives whose bus bandwidth by rings cannot exceed the bandwidth of a node's NICs.
bool runs_by_rings(CollectiveKind kind) {
  return kind == CollectiveKind::AllReduce || kind == CollectiveKind::ReduceScatter ||
         kind == CollectiveKind::AllGather;
}

/// Factors if a share of the NICs is left. In one variety NCCL chooses its algorithm for these
/// NICs. In the other, on two nodes, the bus bandwidth is at most that of rings, which is the
/// bandwidth of these NICs: trees pass half as much between two nodes, but are not built over every
/// set of NICs.
Factors share_of_nics(const HealthyJob& job, double share, const FaultChoice& choice) {
  Communicator faulty = job.links;
  faulty.network.bandwidth *= share;
  if (kind_of<2>(choice.variety) == 0) return on_links(job, faulty);
  if (job.links.domains != 2 || !runs_by_rings(job.collective)) return {};
  const double factor = bus_factor_of(job.collective, job.links.ranks);
  const BytesPerSecond nics = faulty.network.bandwidth * faulty.ranks_per_domain;
  return factors(job, [&](Bytes size, Seconds) {
    return std::max(collective_cost(job.collective, size, faulty, false).time,
                    size * factor / nics);
  });
}

Factors one_nic(const HealthyJob& job, const FaultChoice& choice) {
  if (!crosses_network(job) || job.cluster.network->nics_per_node.value < 3) return {};
  return share_of_nics(job, 1.0 / job.cluster.network->nics_per_node.value, choice);
}

Factors half_the_nics(const HealthyJob& job, const FaultChoice& choice) {
  if (!crosses_network(job) || job.cluster.network->nics_per_node.value < 2) return {};
  return share_of_nics(job, 0.5, choice);
}

/// Factors of sockets: a node has 1 to 10 GB/s (5 in docs.cscs.ch/software/communication/nccl, 8 in
/// nccl-tests#323), and a hop takes up to 50 us more. Longer hops slow the filling of pipelines in
/// proportion.
Factors sockets(const HealthyJob& job, const FaultChoice& choice) {
  Communicator faulty = job.links;
  const BytesPerSecond node = 10_GBps * between(1, 0.1, choice.gravity);
  const BytesPerSecond share = node / job.links.ranks_per_domain;
  if (faulty.network.bandwidth < 2 * share) return {};
  const Seconds hop = faulty.network.latency;
  faulty.network.bandwidth = share;
  faulty.network.latency += 50_us * choice.variety;
  faulty.network.filling *= faulty.network.latency / hop;
  return on_links(job, faulty);
}

Factors kernel_sockets(const HealthyJob& job, const FaultChoice& choice) {
  if (!crosses_network(job) || needs_plugin(job)) return {};
  return sockets(job, choice);
}

Factors missing_plugin(const HealthyJob& job, const FaultChoice& choice) {
  if (!crosses_network(job) || !needs_plugin(job)) return {};
  return sockets(job, choice);
}

/// Factors if each transfer passes through host memory: 0.25 to 0.6 of the bandwidth, 3 to 12 us
/// more per hop.
Factors host_staged(const HealthyJob& job, const FaultChoice& choice) {
  if (!crosses_network(job)) return {};
  Communicator faulty = job.links;
  faulty.network.bandwidth *= between(0.6, 0.25, choice.gravity);
  faulty.network.latency += 3_us * between(1, 4, choice.variety);
  return on_links(job, faulty);
}

/// Factors if scale-up traffic runs at PCIe's bandwidth, or a third of it through host memory.
Factors pcie(const HealthyJob& job, const FaultChoice& choice) {
  const BytesPerSecond link = job.cluster.accelerator.host_link.value;
  if (job.links.ranks_per_domain < 2 || job.cluster.scale_up.bandwidth.value < 3 * link) return {};
  Communicator faulty = job.links;
  faulty.scale_up.bandwidth = link * between(0.9, 0.3, choice.gravity);
  faulty.scale_up.latency += 2_us * choice.variety;
  faulty.scale_up.reduces_in_switch = false;
  return on_links(job, faulty);
}

/// Factors if each call takes 5 to 60 us longer, or no call is faster than the launch.
Factors launch(const HealthyJob& job, const FaultChoice& choice) {
  const Seconds longer = 5_us * between(1, 12, choice.gravity);
  const bool hides = kind_of<2>(choice.variety) == 1;
  const Seconds least =
      longer + collective_cost(job.collective, job.sizes.front(), job.links, false).time;
  return factors(job, [&](Bytes, Seconds healthy) {
    return hides ? std::max(healthy, least) : healthy + longer;
  });
}

Factors in_switch(const HealthyJob& job, const FaultChoice&) {
  if (!job.links.scale_up.reduces_in_switch) return {};
  Communicator faulty = job.links;
  faulty.scale_up.reduces_in_switch = false;
  return on_links(job, faulty);
}

Factors protocol(const HealthyJob& job, const FaultChoice& choice) {
  const Protocol only = protocol_names.at(kind_of<protocol_names.size()>(choice.variety)).second;
  return forced(job, [&](const Algorithm& each) { return each.protocol == only; });
}

/// Factors of a forced tree or ring. Rings instead of reduction in a switch are another cause.
Factors algorithm(const HealthyJob& job, const FaultChoice& choice) {
  const bool is_tree = kind_of<2>(choice.variety) == 1;
  if (!is_tree && job.links.scale_up.reduces_in_switch) return {};
  return forced(job,
                [&](const Algorithm& each) { return each.name == (is_tree ? "tree" : "ring"); });
}

/// Factors of 1.3 to 4 on 3, 5 or 8 octaves of size, and of 1 below and above.
Factors size_switch(const HealthyJob& job, const FaultChoice& choice) {
  constexpr std::array octaves{3.0, 5.0, 8.0};
  const std::size_t kind = kind_of<octaves.size()>(choice.variety);
  const double share = choice.variety * octaves.size() - static_cast<double>(kind);
  const double range = std::log2(job.sizes.back() / job.sizes.front());
  const double width = octaves.at(kind);
  if (range < width + 2) return {};
  const double first = std::log2(job.sizes.front().base()) + 1 + share * (range - width - 2);
  LogFactors result;
  for (const Bytes size : job.sizes) {
    const double octave = std::log2(size.base()) - first;
    result.push_back(octave >= 0 && octave <= width ? std::log(between(1.3, 4, choice.gravity))
                                                    : 0);
  }
  return result;
}

template <LinkEffect Effect>
Factors part_of_links(const HealthyJob& job, const FaultChoice& choice) {
  const bool is_of_network = Effect >= LinkEffect::NetworkLatency;
  if (is_of_network ? !crosses_network(job) : job.links.ranks_per_domain < 2) return {};
  LinkEffects effects{};
  effects[static_cast<std::size_t>(Effect)] =
      std::log(between(1.4, Effect == LinkEffect::NetworkLatency ? 8 : 3, choice.gravity));
  return on_links(job, with_effects(job.links, effects));
}

}  // namespace

std::span<const SlownessCause> causes() {
  static constexpr std::array table{
      SlownessCause{.name = "one NIC",
                    .slowed = one_nic,
                    .sentence = "all but one NIC of a node are missing or not used",
                    .test = "NCCL_DEBUG=INFO lists the network cards that each node uses",
                    .nics_left = NicsLeft::One,
                    .tier = FaultyTier::Network},
      SlownessCause{
          .name = "half the NICs",
          .slowed = half_the_nics,
          .sentence = "half the NICs of a node are missing, or all run at half speed",
          .test = "NCCL_DEBUG=INFO lists the network cards that each node uses, ibstat their rate",
          .nics_left = NicsLeft::Half,
          .tier = FaultyTier::Network},
      SlownessCause{.name = "kernel sockets",
                    .slowed = kernel_sockets,
                    .sentence = "times are those of kernel sockets, not of RDMA: is RDMA off "
                                "(NCCL_IB_DISABLE), or are its devices not in the container?",
                    .test = "NCCL_DEBUG=INFO says `Using network Socket` where RDMA is off",
                    .is_refuted = has_rdma,
                    .tier = FaultyTier::Network},
      SlownessCause{
          .name = "missing plugin",
          .slowed = missing_plugin,
          .sentence =
              "times are those of kernel sockets, not of the fabric: is NCCL's plugin of it "
              "missing (aws-ofi-nccl of EFA and of Slingshot's CXI, Google's of TCPX)? a "
              "log with NCCL_DEBUG=INFO names the network that runs",
          .test = "NCCL_DEBUG=INFO says `Using network Socket` where the plugin is missing",
          .is_refuted = has_rdma,
          .tier = FaultyTier::Network},
      SlownessCause{
          .name = "no GPUDirect",
          .slowed = host_staged,
          .sentence =
              "hops and bytes between nodes take longer: transfers pass through host memory "
              "(no GPUDirect RDMA)",
          .test = "NCCL_DEBUG=INFO shows channels `via NET` without GDRDMA",
          .is_refuted = writes_to_devices,
          .tier = FaultyTier::Network},
      SlownessCause{
          .name = "PCIe",
          .slowed = pcie,
          .sentence = "bus bandwidth levels off at PCIe's: the scale-up links are not used "
                      "(peer-to-peer off, or the fabric manager down)",
          .test =
              "nvidia-smi topo -p2p r and nvidia-smi nvlink -s; NCCL_DEBUG=INFO shows `via SHM`",
          .tier = FaultyTier::ScaleUp},
      SlownessCause{.name = "launch",
                    .slowed = launch,
                    .sentence =
                        "small messages all take the same longer time: calls wait for the host (no "
                        "CUDA graph, slow launches)",
                    .test = "the same run with a CUDA graph (nccl-tests -G 1)"},
      SlownessCause{.name = "no NVLS",
                    .slowed = in_switch,
                    .sentence =
                        "times are those of rings and trees: the scale-up switches do not reduce "
                        "(NVLS is off, or a ring is forced)",
                    .test = "NCCL_DEBUG=INFO says whether NVLS channels are used; unset "
                            "NCCL_NVLS_ENABLE and NCCL_ALGO",
                    .odds_between_nodes = seen_before,
                    .tier = FaultyTier::ScaleUp},
      SlownessCause{
          .name = "protocol",
          .slowed = protocol,
          .sentence = "times are those of one protocol at all sizes: it is forced where NCCL would "
                      "choose (NCCL_PROTO, a tuner's file)",
          .test = "the same run without NCCL_PROTO and without a tuner's file",
          .odds = rarely_unsaid},
      SlownessCause{
          .name = "algorithm",
          .slowed = algorithm,
          .sentence =
              "times are those of one algorithm at all sizes: it is forced where NCCL would "
              "choose (NCCL_ALGO, a tuner's file)",
          .test = "the same run without NCCL_ALGO and without a tuner's file",
          .odds = rarely_unsaid},
      SlownessCause{
          .name = "switch at the wrong size",
          .slowed = size_switch,
          .sentence =
              "smaller and larger messages are normal: most likely the algorithm or protocol "
              "switches at the wrong size",
          .test = "runs at these sizes with each NCCL_ALGO and NCCL_PROTO show which is faster"},
      SlownessCause{
          .name = "network bandwidth",
          .slowed = part_of_links<LinkEffect::NetworkBandwidth>,
          .sentence = "bytes between nodes take longer, small messages do not: less bandwidth than "
                      "the NICs have (a congested or degraded fabric)",
          .test = "ib_write_bw and the same run between pairs of nodes find the slow one",
          .tier = FaultyTier::Network},
      SlownessCause{
          .name = "network latency",
          .slowed = part_of_links<LinkEffect::NetworkLatency>,
          .sentence =
              "hops between nodes take longer, large messages do not: a slower transport or "
              "more switches than the cluster's",
          .test = "ib_write_lat between pairs of nodes",
          .tier = FaultyTier::Network},
      SlownessCause{.name = "scale-up bandwidth",
                    .slowed = part_of_links<LinkEffect::ScaleUpBandwidth>,
                    .sentence =
                        "bytes inside the scale-up domain take longer, small messages do not: "
                        "links of it are down, or fewer channels are used",
                    .test = "one node alone; nvidia-smi nvlink -s names links that are down",
                    .tier = FaultyTier::ScaleUp},
  };
  return table;
}

}  // namespace diagnosis
}  // namespace tofn
