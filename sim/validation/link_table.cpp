#include <cmath>
#include <sstream>

#include "sim/collectives/algorithm.hpp"
#include "sim/core/words.hpp"
#include "sim/validation/fit_ramps.hpp"
#include "sim/validation/link_fit.hpp"

namespace tofn {
inline namespace validation {
namespace {

/// Name in the catalogue of the algorithm that the log says was forced; empty if none or unknown.
std::string_view forced_algorithm(const CollectiveTable& table) {
  const std::string forced = lower_case(table.algorithm);
  for (const Algorithm& algorithm : collective_algorithms())
    if (lower_case(algorithm.name) == forced) return algorithm.name;
  return {};
}

/// Protocols that NCCL_PROTO allowed (`Simple`, `LL,LL128`); all if the log names none.
ProtocolSet forced_protocols(const CollectiveTable& table) {
  ProtocolSet forced = ProtocolSet::none();
  std::istringstream words(table.protocol);
  for (std::string word; std::getline(words, word, ',');)
    for (const auto& [name, protocol] : protocol_names)
      if (word == name) forced.add(protocol);
  return forced.is_empty() ? ProtocolSet{} : forced;
}

}  // namespace

const LinkSpreads& shipped_spreads() {
  static const LinkSpreads spreads{.all = {0.02, 0.3, 0.1, 0.05, 0.9, 0.02, 0.9},
                                   .family = {0, 0.54, 0.17, 0.28, 0.94, 0.05, 0.9},
                                   .system = {1, 0.11, 0.02, 0.3, 0.3, 0.05, 0.17},
                                   .table = {0.05, 0.05, 0.02, 0.27, 0.13, 0.03, 0.87},
                                   .scatter_system = 0.05,
                                   .scatter_table = 0.05,
                                   .pairs_system = 0.1,
                                   .pairs_table = 0.3,
                                   .sends_system = 0.4,
                                   .sends_table = 0.25,
                                   .crowd_system = 0.1,
                                   .crowd_table = 0.1,
                                   .shape_system = 0.12,
                                   .shape_table = 0.13,
                                   .apart_nodes = 0.19,
                                   .apart_ranks = 0.12,
                                   .apart_kind = 0.5,
                                   .apart_laboratory = 0.5,
                                   .apart_table = 0.01,
                                   .row_inside = 0.025,
                                   .row_between = 0.07};
  return spreads;
}

LinkPosterior LinkPosterior::with_prompt_calls() const {
  constexpr auto start = static_cast<std::size_t>(LinkEffect::Start);
  constexpr double deviation = 0.1;
  LinkPosterior sure = *this;
  sure.mean[start] = 0;
  for (std::size_t i = 0; i < table_effect_count; ++i)
    sure.covariance[i * table_effect_count + start] =
        sure.covariance[start * table_effect_count + i] = 0;
  sure.covariance[start * table_effect_count + start] = deviation * deviation;
  return sure;
}

bool are_related(const LinkTable& a, const LinkTable& b) {
  return a.system == b.system && a.scale_up == b.scale_up && a.network == b.network;
}

double similarity(const LinkTable& a, const LinkTable& b, const LinkSpreads& spreads) {
  const auto doublings = [](double x, double y) { return std::abs(std::log2(x / y)); };
  const auto is_half = [](const LinkTable& each) {
    const CollectiveKind kind = each.table->collective;
    return kind == CollectiveKind::ReduceScatter || kind == CollectiveKind::AllGather;
  };
  double distance =
      spreads.apart_table + spreads.apart_nodes * doublings(a.nominal.domains, b.nominal.domains) +
      spreads.apart_ranks * doublings(a.nominal.ranks_per_domain, b.nominal.ranks_per_domain);
  const bool is_alike = a.table->collective == b.table->collective || (is_half(a) && is_half(b));
  if (!is_alike) distance += spreads.apart_kind;
  if (a.laboratory.empty() || a.laboratory != b.laboratory) distance += spreads.apart_laboratory;
  return std::exp(-distance);
}

Cluster with_nominal_links(Cluster cluster) {
  const auto take = [](auto& links) {
    if (links.family.name.empty()) return;
    links.latency = links.family.latency;
    links.bandwidth_efficiency = links.family.bandwidth_efficiency;
    links.family.filling_factor = 1;
  };
  take(cluster.scale_up);
  if (cluster.network) take(*cluster.network);
  return cluster;
}

LinkTable link_table(const CollectiveTable& table, const Cluster& cluster) {
  LinkTable result{.table = &table,
                   .nominal = placed_on(with_nominal_links(cluster), table.ranks, table.nodes),
                   .scale_up = cluster.scale_up.family.name,
                   .network = cluster.network ? cluster.network->family.name : "",
                   .system = cluster.machine};
  result.nominal.all_reduce = forced_algorithm(table);
  if (!table.protocol.empty()) result.nominal.protocols = forced_protocols(table);
  return result;
}

}  // namespace validation
}  // namespace tofn
