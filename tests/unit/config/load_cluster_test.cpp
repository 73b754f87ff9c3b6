#include <algorithm>

#include "sim/config/library.hpp"
#include "sim/config/load.hpp"
#include "sim/core/error.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

std::vector<Accelerator> one_accelerator(const std::string& file) {
  return {load_accelerator(configs / "accelerators" / file)};
}

}  // namespace

TEST_CASE("a cluster file is read in base units, with its accelerator") {
  const auto known = one_accelerator("h100-sxm.yaml");
  const Cluster dgx = load_cluster(configs / "clusters/dgx-h100.yaml", known);
  CHECK(dgx.name == "dgx-h100");
  CHECK(dgx.accelerator.name == "H100 SXM");
  CHECK(dgx.accelerator.power.value == 700_W);
  CHECK(dgx.systems == std::vector<std::string>{"NVIDIA/eos*"});
  CHECK(dgx.accelerators_per_node.value == 8);
  CHECK(dgx.scale_up.kind == ScaleUpKind::Switch);
  CHECK(dgx.scale_up.bandwidth.value.base() == 450e9);
  CHECK_THAT(dgx.scale_up.latency.value.base(), WithinRel(1.9e-6, 1e-6));
  CHECK(dgx.scale_up.in_switch_reduction.value);
  CHECK_THAT(dgx.power.node_maximum.value().value.base(), WithinRel(10200.0, 1e-6));
}

TEST_CASE("a cluster's network is read, and what it assumes says so") {
  const auto known = one_accelerator("h100-sxm.yaml");
  const Cluster dgx = load_cluster(configs / "clusters/dgx-h100.yaml", known);
  REQUIRE(dgx.network.has_value());
  CHECK(dgx.network->kind == NetworkKind::Infiniband);
  CHECK(dgx.network->nics_per_node.value == 8);
  CHECK(dgx.network->nic_bandwidth.value.base() == 50e9);  // 400 Gb/s
  CHECK_FALSE(dgx.network->nic_bandwidth.is_assumed());
  CHECK(dgx.network->oversubscription.value == 1);
  CHECK(dgx.network->oversubscription.is_assumed());
}

TEST_CASE("a cluster's fabric is the family that it names") {
  Library library = Library::load(configs);
  CHECK(library.cluster("aws-p5").network->family.name == "efa");
  CHECK(library.cluster("gcp-a3-mega").network->family.name == "tcpx");
}

TEST_CASE("an accelerator that no file describes is refused with those that are known") {
  const auto known = one_accelerator("l40s.yaml");
  const auto file = configs / "clusters/dgx-h100.yaml";
  CHECK_THROWS_WITH(
      load_cluster(file, known),
      Equals(file.string() + ":6:14: accelerator: unknown accelerator 'H100 SXM'; valid "
                             "accelerators: L40S"));
}

TEST_CASE("every cluster file that ships is read and has sane tiers") {
  const Library library = Library::load(configs);
  CHECK(library.clusters().size() > 10);
  for (const Cluster& cluster : library.clusters()) {
    INFO(cluster.name);
    CHECK(cluster.scale_up.domain_accelerators.value % cluster.accelerators_per_node.value == 0);
    CHECK_FALSE(cluster.description.empty());
  }
}
