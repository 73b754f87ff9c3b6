#include "sim/validation/link_lint.hpp"

#include "sim/config/library.hpp"
#include "sim/core/error.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

/// A cluster of 8 H100 a node, 450 GB/s between them, and 8 NICs of 50 GB/s.
const Cluster& dgx() {
  static const Library library = Library::load(TOFN_SOURCE_DIR "/configs");
  return *library.find_cluster("dgx-h100");
}

CollectiveTable one_row(CollectiveKind kind, int ranks, int nodes, Bytes size, Seconds time) {
  CollectiveTable table;
  table.collective = kind;
  table.ranks = ranks;
  table.nodes = nodes;
  table.rows = {{.size = size, .out_of_place = time, .in_place = {}, .line = 7}};
  return table;
}

std::string problem_of(CollectiveKind kind, int ranks, int nodes, Bytes size, Seconds time) {
  return faults_on(one_row(kind, ranks, nodes, size, time), dgx()).impossible;
}

}  // namespace

TEST_CASE("a row faster than its scale-up links is impossible, and says why") {
  // If the switch reduces, 9 GB go up for 8 GB: 20 ms at 450 GB/s. Bus bandwidth 8/20 x 7/4 = 700.
  CHECK(problem_of(CollectiveKind::AllReduce, 8, 1, 8_GB, 20_ms).empty());
  CHECK(problem_of(CollectiveKind::AllReduce, 8, 1, 8_GB, 19.5_ms) ==
        "line 7: 8 GB took 19.5 ms, but the least of all algorithms (in-switch) moves 9 GB over "
        "scale-up links of 450 GB/s a rank and direction: 20 ms");
}

TEST_CASE("a bus bandwidth above the wire that NVLS reaches is possible") {
  // The bus limit of 480 GB/s allows 8 GB x 7/4 / 480 = 29.2 ms.
  CHECK(problem_of(CollectiveKind::AllReduce, 8, 1, 8_GB, 29.2_ms).empty());
  // An all-gather has no reduction: each rank receives 7/8 of 8 GB in 15.6 ms.
  CHECK(problem_of(CollectiveKind::AllGather, 8, 1, 8_GB, 15.6_ms).empty());
  CHECK_FALSE(problem_of(CollectiveKind::AllGather, 8, 1, 8_GB, 15.3_ms).empty());
}

TEST_CASE("a row faster than its network links is impossible") {
  // An all-gather on 8 nodes brings 7/8 of 8 GB into each, an eighth of it through each NIC of
  // 50 GB/s: 17.5 ms, above the 15.6 ms inside.
  CHECK(problem_of(CollectiveKind::AllGather, 64, 8, 8_GB, 17.5_ms).empty());
  CHECK_THAT(problem_of(CollectiveKind::AllGather, 64, 8, 8_GB, 17.1_ms),
             ContainsText("(hierarchical) moves 875 MB over network links of 50 GB/s a rank and "
                          "direction: 17.5 ms"));
}

TEST_CASE("idle neighbours leave their NICs to the ranks of the job") {
  // One rank a node has 8 x 50 GB/s, so 5 GB of an all-gather of 10 GB over two nodes take 12.5 ms.
  CHECK(problem_of(CollectiveKind::AllGather, 2, 2, 10_GB, 12.5_ms).empty());
  CHECK_FALSE(problem_of(CollectiveKind::AllGather, 2, 2, 10_GB, 12_ms).empty());
  // The single rank of each node that sends to the next one has as much.
  CHECK(problem_of(CollectiveKind::SendReceive, 16, 2, 4_GB, 10_ms).empty());
  CHECK_FALSE(problem_of(CollectiveKind::SendReceive, 16, 2, 4_GB, 8_ms).empty());
}

TEST_CASE("what the table alone tells comes first") {
  CHECK_THAT(problem_of(CollectiveKind::AllReduce, 8, 1, 8_B, 0.001_us),
             ContainsText("times are not in us"));
}

TEST_CASE("ranks that do not fit the cluster are refused") {
  CHECK_THAT(refusal([] { problem_of(CollectiveKind::AllReduce, 16, 1, 1_GB, 1_s); }),
             ContainsText("16 ranks on a node"));
}
