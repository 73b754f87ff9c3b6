#include "sim/diagnosis/causes.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/config/library.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::literals;

namespace {

const SlownessCause& cause(std::string_view name) {
  const auto found = std::find_if(causes().begin(), causes().end(),
                                  [&](const SlownessCause& each) { return each.name == name; });
  REQUIRE(found != causes().end());
  return *found;
}

/// An all-reduce over nodes of eight accelerators.
HealthyJob all_reduce_on(const Cluster& cluster, int nodes, std::vector<Bytes> sizes) {
  CollectiveTable table;
  table.collective = CollectiveKind::AllReduce;
  table.ranks = 8 * nodes;
  table.nodes = nodes;
  return {
      .cluster = cluster, .links = link_table(table, cluster).nominal, .sizes = std::move(sizes)};
}

}  // namespace

// Each hop within a node takes up to 2 us more.
TEST_CASE("through host memory a small message takes longer the more of the hops are slow") {
  const Library library = Library::load(TOFN_SOURCE_DIR "/configs");
  const Cluster& cluster = *library.find_cluster("dgx-h100");
  const HealthyJob job = all_reduce_on(cluster, 1, {1_KiB});
  const SlownessCause& pcie = cause("PCIe");
  const auto slowed = [&](double variety) { return pcie.slowed(job, {0.5, variety})->at(0); };
  CHECK(std::isfinite(slowed(0)));
  CHECK(slowed(0) < slowed(0.5));
  CHECK(slowed(0.5) < slowed(1));
}

// A ring of 128 ranks waits for 254 hops, which a tree saves small messages; large ones take as
// long as on the ring that NCCL would choose.
TEST_CASE("a forced algorithm is a ring or a tree, and a ring is none where switches reduce") {
  const Library library = Library::load(TOFN_SOURCE_DIR "/configs");
  const SlownessCause& algorithm = cause("algorithm");
  const HealthyJob job = all_reduce_on(*library.find_cluster("dgx-a100"), 16, {1_KiB, 4_GiB});
  const auto ring = algorithm.slowed(job, {0.5, 0.25});
  const auto tree = algorithm.slowed(job, {0.5, 0.75});
  REQUIRE((ring && tree));
  CHECK(ring->at(0) > std::log(2));
  CHECK(ring->at(1) < 0.05);
  CHECK(tree->at(0) < 0.05);
  CHECK(tree->at(1) > ring->at(1));
  const HealthyJob in_switch = all_reduce_on(*library.find_cluster("dgx-h100"), 16, {4_GiB});
  CHECK(!algorithm.slowed(in_switch, {0.5, 0.25}));
  CHECK(algorithm.slowed(in_switch, {0.5, 0.75}));
}
