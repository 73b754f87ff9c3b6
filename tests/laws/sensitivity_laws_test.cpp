#include <algorithm>
#include <set>
#include <string>
#include <type_traits>

#include "sim/cluster/cluster_fields.hpp"
#include "sim/validation/sensitivity.hpp"
#include "sim/yaml/yaml_reader.hpp"
#include "tests/catch.hpp"
#include "tests/laws/machines.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

std::string idle_keys(const Cluster& cluster) {
  std::string keys;
  for (const IdleFigure& idle : idle_figures(cluster)) keys += idle.key + ' ';
  return keys;
}

/// Adds the dotted keys of all values that start with a digit (`network.latency`), except prices,
/// which are no figures of the machine.
void add_numbers(const YamlNode& node, std::vector<std::string>& keys) {
  for (const auto& [name, value] : node.entries()) {
    if (value.is_map() && name != "sources" && name != "prices") add_numbers(value, keys);
    std::string text;
    if (!value.is_scalar() || value.is_quoted() || name == "description") continue;
    value.read(text);
    if (text.find_first_of("0123456789") == 0) keys.push_back(value.key());
  }
}

}  // namespace

TEST_CASE("every number of a cluster changes a collective, or says why it need not") {
  for (const Cluster& cluster : library().clusters())
    for (const IdleFigure& idle : idle_figures(cluster)) {
      INFO(cluster.name << ' ' << idle.key);
      CHECK_FALSE(idle.excuse.empty());
    }
}

TEST_CASE(
    "every number of the shipped files is a row of the figures, which families of links fill") {
  const std::set<std::string> of_families{"scale_up.latency", "scale_up.bandwidth_efficiency",
                                          "network.latency", "network.bandwidth_efficiency"};
  for (const Cluster& cluster : library().clusters()) {
    const std::string file = TOFN_SOURCE_DIR "/configs/clusters/" + cluster.name + ".yaml";
    std::vector<std::string> keys;
    add_numbers(YamlNode::load(file), keys);
    std::vector<std::string> rows;
    const auto add = [&](const ClusterField& field, const auto& figure) {
      const auto* found = stated(figure);
      if (found && !std::is_same_v<decltype(found->value), bool>) rows.push_back(field.dotted());
    };
    visit_cluster(add, cluster);
    INFO(cluster.name);
    std::sort(keys.begin(), keys.end());
    std::sort(rows.begin(), rows.end());
    std::erase(keys, "format");
    // Figures that no file states come from the link family.
    std::erase_if(rows, [&](const std::string& row) {
      return of_families.contains(row) && !std::binary_search(keys.begin(), keys.end(), row);
    });
    CHECK(rows == keys);
  }
}

TEST_CASE("a key that nothing depends on is found") {
  Cluster cluster = *library().find_cluster("dgx-h100");
  CHECK(idle_keys(cluster) == "network.nodes_per_leaf power.node_maximum ");
  cluster.network->oversubscription.value = 2;
  CHECK(idle_keys(cluster) == "power.node_maximum ");
  cluster.network->latency.value = Seconds{0};
  CHECK(idle_keys(cluster) == "network.latency power.node_maximum ");
}
