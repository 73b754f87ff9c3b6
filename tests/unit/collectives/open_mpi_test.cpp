#include <cmath>

#include "sim/collectives/algorithm.hpp"
#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;
using Catch::Matchers::WithinRel;

namespace {

/// Nodes of eight ranks with 100 GB/s and 1 us inside, and 10 GB/s and 5 us a rank between them.
Communicator by_mpi(int ranks, std::optional<HostCopies> copies = {}) {
  Cluster toy = toy_machine();
  toy.library = CollectiveLibrary::Mpi;
  toy.host_copies = copies;
  toy.network->nodes_per_leaf.value = 1024;
  return place({.stride = 1, .count = ranks}, toy, ranks);
}

double microseconds(CollectiveKind kind, Bytes payload, const Communicator& c) {
  return collective_cost(kind, payload, c, false).time.base() * 1e6;
}

constexpr auto AR = CollectiveKind::AllReduce;

}  // namespace

TEST_CASE("Open MPI doubles distances below 10 kB and takes a ring from there on") {
  const Communicator c = by_mpi(32);
  CHECK(chosen_algorithm(AR, 9999_B, c, false).name == "recursive doubling");
  CHECK(chosen_algorithm(AR, 10000_B, c, false).name == "MPI ring");
  CHECK(chosen_algorithm(CollectiveKind::SendReceive, 8_B, c, false).name == "MPI pairwise");
}

TEST_CASE("recursive doubling, by hand") {
  // Three rounds of 1 us run in the node and two of 5 us between four nodes. Each adds 8 kB at
  // 100 GB/s, and those between nodes send them at 10 GB/s.
  CHECK_THAT(microseconds(AR, 8000_B, by_mpi(32)),
             WithinRel(3 * (1 + 0.08) + 2 * (5 + 0.08 + 0.8), 1e-12));
  // Six ranks take as many rounds as eight.
  CHECK(microseconds(AR, 8_B, by_mpi(6)) == microseconds(AR, 8_B, by_mpi(8)));
}

TEST_CASE("a ring of an MPI, by hand") {
  // The ring has twice 31 hops, three of them between nodes, and sends twice 31/32 of 320 MB at
  // 80 GB/s a node.
  CHECK_THAT(microseconds(AR, 320_MB, by_mpi(32)),
             WithinRel(2 * (28 * 1 + 3 * 5) + 2 * 310e6 / 80e3, 1e-12));
  CHECK_THAT(microseconds(CollectiveKind::AllGather, 320_MB, by_mpi(32)),
             WithinRel(28 * 1 + 3 * 5 + 310e6 / 80e3, 1e-12));
}

TEST_CASE("memory of accelerators comes to the host and goes back") {
  const HostCopies copies{.latency = {10_us, "made up"}, .bandwidth = {5_GBps, "made up"}};
  const double at_host = microseconds(AR, 8000_B, by_mpi(16));
  CHECK_THAT(microseconds(AR, 8000_B, by_mpi(16, copies)),
             WithinRel(at_host + 2 * (10 + 1.6), 1e-12));
}

TEST_CASE("two ranks a node double distances once inside and once between two nodes") {
  Cluster toy = toy_machine();
  toy.library = CollectiveLibrary::Mpi;
  const Communicator c = place({.stride = 4, .count = 4}, toy, 16);
  REQUIRE(c.ranks_per_domain == 2);
  CHECK_THAT(microseconds(AR, 8000_B, c), WithinRel((1 + 0.08) + (5 + 0.08 + 0.8), 1e-12));
}

TEST_CASE("a broadcast of an MPI, by hand") {
  // Segments of 8 MB travel at 100 GB/s; ranks between the root and the leaves forward them twice.
  constexpr auto broadcast = CollectiveKind::Broadcast;
  CHECK_THAT(microseconds(broadcast, 8_MB, by_mpi(2)), WithinRel(1 + 80.0, 1e-12));
  CHECK_THAT(microseconds(broadcast, 8_MB, by_mpi(8)), WithinRel(3 * 1 + 2 * 80.0, 1e-12));
  // Two rounds run between four nodes, at 10 GB/s.
  CHECK_THAT(microseconds(broadcast, 8_MB, by_mpi(32)),
             WithinRel(3 * 1 + 2 * 5 + 2 * 800.0, 1e-12));
}
