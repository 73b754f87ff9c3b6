#include <algorithm>
#include <string>
#include <vector>

#include "sim/collectives/algorithm.hpp"
#include "sim/config/checks.hpp"
#include "sim/config/load.hpp"
#include "sim/config/read_prices.hpp"
#include "sim/config/yaml_reader.hpp"
#include "sim/core/names.hpp"

namespace tofn {
namespace {

const Accelerator& accelerator_named(const YamlNode& node,
                                     std::span<const Accelerator> accelerators) {
  std::string name;
  node.read(name);
  const auto found = std::find_if(accelerators.begin(), accelerators.end(),
                                  [&](const auto& each) { return each.name == name; });
  if (found != accelerators.end()) return *found;
  std::vector<std::string> names;
  for (const auto& each : accelerators) names.push_back(each.name);
  node.fail(unknown_name("accelerator", name, names));
}

TorusLinks read_torus(const YamlNode& node) {
  TorusLinks torus;
  Fields fields = node.fields();
  read_at_least(fields, "dimensions", 1, torus.dimensions);
  if (torus.dimensions.value > 3) fields.child("dimensions").fail("must be at most 3");
  read_at_least(fields, "closes_from", 1, torus.closes_from);
  fields.done();
  return torus;
}

void read_scale_up(const YamlNode& node, Cluster& cluster) {
  ScaleUpFabric& fabric = cluster.scale_up;
  Fields fields = node.fields();
  fields.required_choice("kind", fabric.kind, scale_up_kinds);
  const YamlNode domain = fields.child("domain_accelerators");
  read_at_least(fields, "domain_accelerators", 1, fabric.domain_accelerators);
  if (fabric.domain_accelerators.value < cluster.accelerators_per_node.value)
    domain.fail("must be at least the accelerators of a node");
  if (fabric.domain_accelerators.value % cluster.accelerators_per_node.value != 0)
    domain.fail("must be a multiple of the accelerators of a node");
  read_positive(fields, "bandwidth", fabric.bandwidth);
  read_share(fields, "bandwidth_efficiency", fabric.bandwidth_efficiency);
  read_at_least(fields, "latency", 0, fabric.latency);
  fields.required("in_switch_reduction", fabric.in_switch_reduction);
  if (fabric.kind == ScaleUpKind::Torus) fabric.torus = read_torus(fields.child("torus"));
  fields.done();
}

Network read_network(const YamlNode& node) {
  Network network;
  Fields fields = node.fields();
  fields.required_choice("kind", network.kind, network_kinds);
  read_at_least(fields, "nics_per_node", 1, network.nics_per_node);
  read_positive(fields, "nic_bandwidth", network.nic_bandwidth);
  read_share(fields, "bandwidth_efficiency", network.bandwidth_efficiency);
  read_at_least(fields, "latency", 0, network.latency);
  fields.required("in_network_reduction", network.in_network_reduction);
  read_at_least(fields, "nodes_per_leaf", 1, network.nodes_per_leaf);
  read_at_least(fields, "oversubscription", 1, network.oversubscription);
  if (const auto latency = fields.optional_child("spine_latency"))
    read_at_least(fields, "spine_latency", 0, network.spine_latency.emplace());
  fields.done();
  return network;
}

void read_power(const YamlNode& node, Cluster& cluster) {
  Fields fields = node.fields();
  read_positive(fields, "node_maximum", cluster.node_maximum_power);
  read_positive(fields, "host", cluster.power.host);
  read_positive(fields, "switch_port", cluster.power.switch_port);
  if (const auto factor = fields.optional_child("facility_factor"))
    read_at_least(fields, "facility_factor", 1, cluster.power.facility_factor.emplace());
  fields.done();
}

/// `chosen`, or one of the catalogue's algorithms for all-reduce.
std::string_view read_all_reduce(const YamlNode& node) {
  std::string asked;
  node.read(asked);
  std::vector<std::string> names{"chosen"};
  if (asked == names.front()) return {};
  for (const Algorithm& algorithm : collective_algorithms()) {
    if (algorithm.collective != CollectiveKind::AllReduce) continue;
    if (algorithm.name == asked) return algorithm.name;
    if (names.back() != algorithm.name) names.emplace_back(algorithm.name);
  }
  node.fail(unknown_name("algorithm", asked, names));
}

}  // namespace

Cluster read_cluster(const YamlNode& root, std::span<const Accelerator> accelerators) {
  Cluster cluster;
  Fields fields = root.fields();
  fields.required("name", cluster.name).required("description", cluster.description);
  fields.optional("systems", cluster.systems);
  cluster.accelerator = accelerator_named(fields.child("accelerator"), accelerators);
  Fields node = fields.child("node").fields();
  read_at_least(node, "accelerators", 1, cluster.accelerators_per_node);
  node.done();
  read_scale_up(fields.child("scale_up"), cluster);
  if (const auto network = fields.optional_child("network"))
    cluster.network = read_network(*network);
  if (const auto algorithm = fields.optional_child("all_reduce"))
    cluster.all_reduce = read_all_reduce(*algorithm);
  if (const auto power = fields.optional_child("power")) read_power(*power, cluster);
  if (const auto prices = fields.optional_child("prices")) cluster.prices = read_prices(*prices);
  fields.done();
  return cluster;
}

Cluster load_cluster(const std::filesystem::path& file, std::span<const Accelerator> accelerators) {
  return read_cluster(YamlNode::load(file), accelerators);
}

}  // namespace tofn
