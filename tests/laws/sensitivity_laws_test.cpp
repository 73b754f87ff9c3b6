#include <algorithm>
#include <string>

#include "sim/config/yaml_reader.hpp"
#include "sim/validation/sensitivity.hpp"
#include "tests/catch.hpp"
#include "tests/laws/machines.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

std::string idle_keys(const Cluster& cluster) {
  std::string keys;
  for (const ClusterKey& key : insensitive_keys(cluster)) keys += std::string(key.key) + ' ';
  return keys;
}

/// The keys of the map whose text starts with a digit: `network.latency`.
void add_numbers(const YamlNode& node, std::vector<std::string>& keys) {
  for (const auto& [name, value] : node.entries()) {
    if (value.is_map() && name != "sources") add_numbers(value, keys);
    std::string text;
    if (!value.is_scalar() || value.is_quoted()) continue;
    value.read(text);
    if (text.find_first_of("0123456789") == 0) keys.push_back(value.key());
  }
}

}  // namespace

TEST_CASE("every number of a cluster changes a collective, or says why it need not") {
  for (const Cluster& cluster : library().clusters())
    for (const ClusterKey& key : insensitive_keys(cluster)) {
      INFO(cluster.name << ' ' << key.key << ' ' << key.idle_because);
      CHECK(key.may_be_idle(cluster));
      CHECK_FALSE(key.idle_because.empty());
    }
}

TEST_CASE("every number of the shipped files is asked after") {
  std::vector<std::string> keys;
  add_numbers(YamlNode::load(TOFN_SOURCE_DIR "/configs/clusters/dgx-h100.yaml"), keys);
  keys.emplace_back("network.spine_latency");  // optional: no shipped file knows it
  CHECK(keys.size() == cluster_keys().size());
  for (const std::string& key : keys) {
    INFO(key);
    CHECK(std::any_of(cluster_keys().begin(), cluster_keys().end(),
                      [&](const ClusterKey& each) { return each.key == key; }));
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
