#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "sim/config/load_calibration.hpp"
#include "sim/validation/protocols.hpp"
#include "tests/catch.hpp"

// The shipped calibrations are published measurements, and here some of them predict the others.
// The tolerances were set before the curves were fitted.

using namespace tofn;

namespace {

/// Complete and consistent logs whose machines their publishers name: trust A.
const std::vector<std::string> trusted{"h100-dgx-1x8", "h100-dell-2x8", "h100-quietbox-1x4",
                                       "a100-abci",    "a100-sophia",   "a100-abci-mpi-cuda",
                                       "cpu-abci-mpi", "cpu-abci-v-mpi"};

std::vector<CollectiveTable> tables_of(const std::vector<std::string>& names,
                                       int most_nodes = 1'000'000) {
  std::vector<CollectiveTable> tables;
  for (const std::string& name : names) {
    const auto file = TOFN_SOURCE_DIR "/configs/calibrations/" + name + ".yaml";
    const auto loaded = load_calibration(file).tables;
    std::copy_if(loaded.begin(), loaded.end(), std::back_inserter(tables),
                 [&](const CollectiveTable& table) { return table.nodes <= most_nodes; });
  }
  return tables;
}

Accuracy split(const std::vector<std::string>& names) {
  return accuracy_of(score_split(tables_of(names)).rows);
}
Accuracy nodes(const std::vector<std::string>& names, int most_nodes = 1'000'000) {
  return accuracy_of(score_nodes(tables_of(names, most_nodes)).rows);
}

}  // namespace

TEST_CASE("half the sizes of trusted logs foretell the other half") {
  const Accuracy all = split(trusted);
  CHECK(all.count == 684);
  CHECK(all.median <= 0.03);
  CHECK(all.ninetieth <= 0.15);
}

TEST_CASE("9 of 10 held-out times lie in their interval") {
  const Accuracy all = split(trusted);
  CHECK(all.held->shares.back() >= 0.85);
  CHECK(all.held->shares.back() <= 0.95);
}

TEST_CASE("few nodes foretell up to four times as many") {
  CHECK(nodes({"a100-abci"}).median <= 0.10);
  CHECK(nodes({"cpu-abci-mpi"}).median <= 0.10);
  CHECK(nodes({"cpu-abci-v-mpi"}).median <= 0.10);
  CHECK(nodes({"gh200-alps"}, 256).median <= 0.10);
}

TEST_CASE("9 of 10 times on more nodes lie in their interval") {
  const Accuracy all = nodes({"a100-abci", "cpu-abci-mpi", "cpu-abci-v-mpi", "gh200-alps"}, 256);
  CHECK(all.count == 792);
  CHECK(all.held->shares.back() >= 0.85);
  CHECK(all.held->shares.back() <= 0.95);
}
