#include "sim/diagnosis/fault_factors.hpp"

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

}  // namespace

std::optional<LogFactors> one_nic_left(const HealthyJob& job, const FaultChoice& choice) {
  if (!crosses_network(job) || job.cluster.network->nics_per_node.value < 3) return {};
  return share_of_nics(job, 1.0 / job.cluster.network->nics_per_node.value, choice);
}

std::optional<LogFactors> half_the_nics_left(const HealthyJob& job, const FaultChoice& choice) {
  if (!crosses_network(job) || job.cluster.network->nics_per_node.value < 2) return {};
  return share_of_nics(job, 0.5, choice);
}

std::optional<LogFactors> kernel_sockets(const HealthyJob& job, const FaultChoice& choice) {
  if (!crosses_network(job) || needs_plugin(job)) return {};
  return sockets(job, choice);
}

std::optional<LogFactors> sockets_without_plugin(const HealthyJob& job, const FaultChoice& choice) {
  if (!crosses_network(job) || !needs_plugin(job)) return {};
  return sockets(job, choice);
}

std::optional<LogFactors> host_staged(const HealthyJob& job, const FaultChoice& choice) {
  if (!crosses_network(job)) return {};
  Communicator faulty = job.links;
  faulty.network.bandwidth *= between(0.6, 0.25, choice.gravity);
  faulty.network.latency += 3_us * between(1, 4, choice.variety);
  return on_links(job, faulty);
}

std::optional<LogFactors> scale_up_over_pcie(const HealthyJob& job, const FaultChoice& choice) {
  const BytesPerSecond link = job.cluster.accelerator.host_link.value;
  if (job.links.ranks_per_domain < 2 || job.cluster.scale_up.bandwidth.value < 3 * link) return {};
  Communicator faulty = job.links;
  faulty.scale_up.bandwidth = link * between(0.9, 0.3, choice.gravity);
  faulty.scale_up.latency += 2_us * choice.variety;
  faulty.scale_up.reduces_in_switch = false;
  return on_links(job, faulty);
}

std::optional<LogFactors> slow_launches(const HealthyJob& job, const FaultChoice& choice) {
  const Seconds longer = 5_us * between(1, 12, choice.gravity);
  const bool hides = kind_of<2>(choice.variety) == 1;
  const Seconds least =
      longer + collective_cost(job.collective, job.sizes.front(), job.links, false).time;
  return factors(job, [&](Bytes, Seconds healthy) {
    return hides ? std::max(healthy, least) : healthy + longer;
  });
}

std::optional<LogFactors> no_reduction_in_switch(const HealthyJob& job, const FaultChoice&) {
  if (!job.links.scale_up.reduces_in_switch) return {};
  Communicator faulty = job.links;
  faulty.scale_up.reduces_in_switch = false;
  return on_links(job, faulty);
}

std::optional<LogFactors> forced_protocol(const HealthyJob& job, const FaultChoice& choice) {
  const Protocol only = protocol_names.at(kind_of<protocol_names.size()>(choice.variety)).second;
  return forced(job, [&](const Algorithm& each) { return each.protocol == only; });
}

std::optional<LogFactors> forced_algorithm(const HealthyJob& job, const FaultChoice& choice) {
  const bool is_tree = kind_of<2>(choice.variety) == 1;
  if (!is_tree && job.links.scale_up.reduces_in_switch) return {};
  return forced(job,
                [&](const Algorithm& each) { return each.name == (is_tree ? "tree" : "ring"); });
}

std::optional<LogFactors> switch_at_wrong_size(const HealthyJob& job, const FaultChoice& choice) {
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

std::optional<LogFactors> slow_links(const HealthyJob& job, LinkEffect effect,
                                     const FaultChoice& choice) {
  const bool is_of_network = effect >= LinkEffect::NetworkLatency;
  if (is_of_network ? !crosses_network(job) : job.links.ranks_per_domain < 2) return {};
  LinkEffects effects{};
  effects[static_cast<std::size_t>(effect)] =
      std::log(between(1.4, effect == LinkEffect::NetworkLatency ? 8 : 3, choice.gravity));
  return on_links(job, with_effects(job.links, effects));
}

}  // namespace diagnosis
}  // namespace tofn
