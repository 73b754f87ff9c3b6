#include "sim/diagnosis/causes.hpp"

#include <algorithm>
#include <cmath>

#include "sim/config/library.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::literals;

// Each hop within a node takes up to 2 us more.
TEST_CASE("through host memory a small message takes longer the more of the hops are slow") {
  const Library library = Library::load(TOFN_SOURCE_DIR "/configs");
  const Cluster& cluster = *library.find_cluster("dgx-h100");
  CollectiveTable table;
  table.collective = CollectiveKind::AllReduce;
  table.ranks = 8;
  table.nodes = 1;
  const HealthyJob job{
      .cluster = cluster, .links = link_table(table, cluster).nominal, .sizes = {1_KiB}};
  const auto pcie = std::find_if(causes().begin(), causes().end(),
                                 [](const SlownessCause& each) { return each.name == "PCIe"; });
  REQUIRE(pcie != causes().end());
  const auto slowed = [&](double variety) { return pcie->slowed(job, {0.5, variety})->at(0); };
  CHECK(std::isfinite(slowed(0)));
  CHECK(slowed(0) < slowed(0.5));
  CHECK(slowed(0.5) < slowed(1));
}
