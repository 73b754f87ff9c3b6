#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/cluster/cluster_fields.hpp"
#include "sim/collectives/algorithm.hpp"
#include "sim/config/load.hpp"
#include "sim/config/load_link_family.hpp"
#include "sim/config/load_parts.hpp"
#include "sim/core/name_table.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/standard_input.hpp"
#include "sim/yaml/read_in.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace config {
namespace {

/// Returns the accelerator of that name, or of the file of that path from the cluster's folder.
Accelerator accelerator_named(const YamlNode& node, std::span<const Accelerator> accelerators) {
  std::string name;
  node.read(name);
  if (!node.is_scalar()) return {};  // reported with the other mistakes
  if (is_yaml(name))
    return load_accelerator(std::filesystem::path(node.location().file).parent_path() / name);
  const auto found =
      std::ranges::find_if(accelerators, [&](const auto& each) { return each.name == name; });
  if (found != accelerators.end()) return *found;
  std::vector<std::string> names;
  for (const auto& each : accelerators) names.push_back(each.name);
  node.mistaken(unknown_listed_name("accelerator", name, names));
  return {};
}

/// Returns the family that `fabric` names, otherwise the one that matches the links' name.
LinkFamily read_family(Fields& fields, LinkTier tier, const std::string& called,
                       std::span<const LinkFamily> families) {
  const auto node = fields.optional_child("fabric");
  if (!node) return family_of_links(families, tier, called);
  std::string request;
  node->read(request);
  std::vector<std::string> names;
  for (const LinkFamily& family : families) {
    if (family.tier != tier) continue;
    if (family.name == request) return family;
    names.push_back(family.name);
  }
  node->fail(unknown_name("fabric", request, names));
}

/// Takes figures of the family that the file does not state.
template <class Links>
void take_from_family(Fields& fields, Links& links) {
  if (!fields.has("latency")) links.latency = links.family.learned_latency();
  if (!fields.has("bandwidth_efficiency"))
    links.bandwidth_efficiency = links.family.learned_efficiency();
}

/// Reads a row's figure from its map; figures that the family provides may be absent.
auto read_links_from(Fields& fields, const LinkFamily& family) {
  return [&fields, &family](const ClusterField& field, auto& figure) {
    const bool is_learned = field.key == "latency" || field.key == "bandwidth_efficiency";
    if (is_learned && !family.name.empty() && !fields.has(field.key)) return;
    read_in(field.range, fields, field.key, figure);
  };
}

/// Reads a row's figure from its map.
auto read_from(Fields& fields) {
  return [&fields](const ClusterField& field, auto& figure) {
    read_in(field.range, fields, field.key, figure);
  };
}

/// Reads a map whose keys the visitor lists.
template <class Part, class Visit>
Part read_map(const YamlNode& node, const Visit& visit) {
  Part part;
  Fields fields = node.fields();
  visit(read_from(fields), part);
  fields.done();
  return part;
}

void read_node(const YamlNode& node, Cluster& cluster) {
  Fields fields = node.fields();
  visit_node(read_from(fields), cluster);
  const auto& idle = cluster.accelerator.idle_power;
  const auto& limit = cluster.accelerator.power_limit;
  if (idle && limit && limit->value <= idle->value)
    fields.child("accelerator_power_limit")
        .fail(fmt::format("must be above the accelerator's idle power, {}", to_text(idle->value)));
  fields.done();
}

ScaleUpFabric read_scale_up(const YamlNode& node, const Cluster& cluster,
                            std::span<const LinkFamily> families) {
  const int accelerators_per_node = cluster.accelerators_per_node.value;
  ScaleUpFabric fabric;
  Fields fields = node.fields();
  fields.required_choice("kind", fabric.kind, scale_up_kinds);
  fabric.family = read_family(
      fields, LinkTier::ScaleUp,
      std::string(name_in(scale_up_kinds, fabric.kind)) + ' ' + cluster.accelerator.scale_up_link,
      families);
  visit_scale_up(read_links_from(fields, fabric.family), fabric);
  take_from_family(fields, fabric);
  const YamlNode domain = fields.child("domain_accelerators");
  if (fabric.domain_accelerators.value < accelerators_per_node)
    domain.fail("must be at least the accelerators of a node");
  if (fabric.domain_accelerators.value % accelerators_per_node != 0)
    domain.fail("must be a multiple of the accelerators of a node");
  if (fabric.kind == ScaleUpKind::Torus)
    fabric.torus = read_map<TorusLinks>(
        fields.child("torus"), [](const auto& visit, auto& part) { visit_torus(visit, part); });
  fields.done();
  return fabric;
}

ProtocolSet read_protocols(const YamlNode& node) {
  ProtocolSet protocols = ProtocolSet::none();
  for (const YamlNode& each : node.items()) {
    Protocol protocol{};
    each.read_choice(protocol, protocol_names);
    protocols.add(protocol);
  }
  if (protocols.is_empty()) node.fail("names none of LL, LL128, Simple");
  return protocols;
}

Network read_network(const YamlNode& node, std::span<const LinkFamily> families) {
  Network network;
  Fields fields = node.fields();
  fields.required_choice("kind", network.kind, network_kinds);
  network.family = read_family(fields, LinkTier::Network,
                               std::string(name_in(network_kinds, network.kind)), families);
  visit_network(read_links_from(fields, network.family), network);
  take_from_family(fields, network);
  if (const auto protocols = fields.optional_child("protocols"))
    network.protocols = read_protocols(*protocols);
  fields.done();
  return network;
}

/// Reads `chosen`, or the name of one of the catalogue's all-reduce algorithms.
std::string_view read_all_reduce(const YamlNode& node) {
  std::string request;
  node.read(request);
  std::vector<std::string> names{"chosen"};
  if (request == names.front()) return {};
  for (const Algorithm& algorithm : collective_algorithms()) {
    if (algorithm.collective != CollectiveKind::AllReduce) continue;
    if (algorithm.name == request) return algorithm.name;
    if (names.back() != algorithm.name) names.emplace_back(algorithm.name);
  }
  node.fail(unknown_name("algorithm", request, names));
}

}  // namespace

Cluster read_cluster(const YamlNode& root, std::span<const Accelerator> accelerators,
                     std::span<const LinkFamily> families) {
  Cluster cluster;
  Fields fields = root.fields();
  fields.required("name", cluster.name).required("description", cluster.description);
  cluster.machine = cluster.name;
  fields.optional("machine", cluster.machine);
  fields.optional("systems", cluster.systems);
  cluster.accelerator = accelerator_named(fields.child("accelerator"), accelerators);
  read_node(fields.child("node"), cluster);
  cluster.scale_up = read_scale_up(fields.child("scale_up"), cluster, families);
  if (const auto network = fields.optional_child("network"))
    cluster.network = read_network(*network, families);
  if (const auto library = fields.optional_child("library"))
    library->read_choice(cluster.library, library_names);
  if (const auto copies = fields.optional_child("host_copies"))
    cluster.host_copies = read_map<HostCopies>(
        *copies, [](const auto& visit, auto& part) { visit_host_copies(visit, part); });
  if (const auto algorithm = fields.optional_child("all_reduce"))
    cluster.all_reduce = read_all_reduce(*algorithm);
  if (const auto power = fields.optional_child("power"))
    cluster.power = read_map<ClusterPower>(
        *power, [](const auto& visit, auto& part) { visit_power(visit, part); });
  if (const auto prices = fields.optional_child("prices")) cluster.prices = read_prices(*prices);
  fields.done();
  return cluster;
}

Cluster load_cluster(const std::filesystem::path& file, std::span<const Accelerator> accelerators,
                     std::span<const LinkFamily> families) {
  return read_cluster(YamlNode::load(file), accelerators, families);
}

}  // namespace config
}  // namespace tofn
