#include "sim/diagnosis/judge.hpp"

#include <cmath>
#include <string>

#include "sim/evidence/knowledge.hpp"
#include "tests/catch.hpp"

// Compares causes with published logs that show them, or else with the formulas on the same cluster
// with the fault. Causes must not appear on healthy clusters.
using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

struct JudgeWorld {
  Library library = Library::load(TOFN_SOURCE_DIR "/configs");
  Knowledge knowledge = knowledge_of(library, TOFN_SOURCE_DIR "/configs", {});
};

JudgeWorld& judge_world() {
  static JudgeWorld made;
  return made;
}

CollectiveTable published_table(const std::string& file) {
  for (const KnownTable& known : judge_world().knowledge.known)
    if (known.table.file == file) return known.table;
  FAIL(file);
  return {};
}

TableJudgement judged(const CollectiveTable& table, const char* cluster) {
  return judge(table, *judge_world().library.find_cluster(cluster), judge_world().knowledge);
}

/// Sentence of the likeliest cause; empty if none.
std::string cause_of(const TableJudgement& judgement) {
  const SlownessCause* cause = judgement.likely.front().cause;
  return cause == nullptr ? "" : std::string(cause->sentence);
}

/// Sentences of the two causes that are printed.
std::string causes_of(const TableJudgement& judgement) {
  std::string all = cause_of(judgement);
  if (judgement.likely.size() > 1 && judgement.likely[1].cause != nullptr)
    all += judgement.likely[1].cause->sentence;
  return all;
}

/// Times of the formulas for an all-reduce from 8 B to 8 GiB on `cluster`, each call `extra`
/// longer.
CollectiveTable as_on(const Cluster& cluster, int ranks, int nodes, Seconds extra = {}) {
  CollectiveTable table;
  table.file = "made-up.txt";
  table.ranks = ranks;
  table.nodes = nodes;
  for (int octave = 3; octave <= 33; ++octave) {
    const Bytes size{std::exp2(octave)};
    const Cost cost =
        collective_cost(CollectiveKind::AllReduce, size, placed_on(cluster, ranks, nodes), false);
    table.rows.push_back({.size = size, .out_of_place = cost.time + extra, .in_place = {}});
  }
  return table;
}

Cluster dgx() { return *judge_world().library.find_cluster("dgx-h100"); }

}  // namespace

TEST_CASE("healthy machines are normal") {
  CHECK(
      judged(published_table("nvidia-h100sxm-1x8-allreduce-dgx-nvls.txt"), "dgx-h100").is_normal());
  CHECK(judged(published_table("dell-h100sxm-2x8-allreduce-ndr400.txt"), "dell-xe9680-h100")
            .is_normal());
  CHECK(judged(published_table("vmware-h100sxm-4x8-allreduce-ndr400.txt"), "dgx-h100").is_normal());
  CHECK(judged(as_on(dgx(), 64, 8), "dgx-h100").is_normal());
}

TEST_CASE("similar systems are those of the same machine, job and collective") {
  const auto judgement =
      judged(published_table("dell-h100sxm-2x8-allreduce-ndr400.txt"), "dell-xe9680-h100");
  // AWS and Google, which have other networks, and its own table are no peers.
  CHECK(judgement.peers ==
        std::vector<std::string>{"unstated-h100sxm-2x8-allreduce-ndr400-gjaion.txt"});
  CHECK(judgement.peer_nodes == 2);
  CHECK_FALSE(judgement.rows.front().peers);  // gjaion starts at 1 MiB
  for (const JudgedRow& row : judgement.rows)
    if (row.scored.size == 1_GiB) {
      REQUIRE(row.peers);
      CHECK(row.peers->tables == 1);
      CHECK(row.peers->median == row.peers->most);
    }
  const auto further =
      judged(published_table("unstated-h100sxm-10x8-allreduce-double-cluster01.txt"), "dgx-h100");
  CHECK(further.peer_nodes == 8);
}

TEST_CASE("calls that wait for the host are told from their small messages") {
  for (const char* kind : {"allreduce", "reducescatter", "allgather"}) {
    const auto judgement = judged(
        published_table(std::string("unstated-h100sxm-1x4-") + kind + "-quietbox.txt"), "hgx-h100");
    REQUIRE(judgement.slow);
    CHECK(judgement.slow->factor > 1.7);
    CHECK_THAT(cause_of(judgement), ContainsText("calls wait for the host"));
  }
}

TEST_CASE("two slow rows are too few to call a table slow or normal") {
  // NVIDIA/nccl#2409: sixteen H100 on two nodes with eight 400 Gb/s links reach half of their rate.
  CollectiveTable table;
  table.file = "pasted.csv";
  table.ranks = 16;
  table.nodes = 2;
  table.rows = {{.size = 1024_MiB, .out_of_place = 9299_us, .in_place = {}},
                {.size = 8192_MiB, .out_of_place = 69725_us, .in_place = {}}};
  const TableJudgement few = judged(table, "oracle-h100");
  CHECK(few.is_undecided());
  CHECK_FALSE(few.is_normal());
  CHECK_FALSE(few.slow);
  table.rows.pop_back();
  table.rows.front().out_of_place = 4944_us;  // a healthy time
  const TableJudgement one = judged(table, "oracle-h100");
  CHECK(one.is_undecided());
  CHECK_FALSE(one.has_slow_rows());
  CHECK_FALSE(one.is_normal());
}

TEST_CASE("a slow band of sizes is a switch of algorithm or protocol") {
  // Its submitters call 64 KiB to 1 MiB slow.
  const auto judgement =
      judged(published_table("cscs-gh200-2x4-allreduce-slingshot11.txt"), "alps-gh200");
  REQUIRE(judgement.slow);
  CHECK(judgement.rows[judgement.slow->first].scored.size == 64_KiB);
  CHECK(judgement.rows[judgement.slow->last].scored.size == 1_MiB);
  CHECK_THAT(cause_of(judgement), ContainsText("algorithm or protocol"));
}

TEST_CASE("a plateau at one NIC, or at half of them, is named") {
  Cluster broken = dgx();
  broken.network->nics_per_node.value = 1;
  CHECK_THAT(cause_of(judged(as_on(broken, 64, 8), "dgx-h100")), ContainsText("one NIC"));
  broken.network->nics_per_node.value = 4;
  CHECK_THAT(cause_of(judged(as_on(broken, 64, 8), "dgx-h100")), ContainsText("half the NICs"));
}

TEST_CASE("a plateau at PCIe is named") {
  Cluster broken = dgx();
  broken.scale_up.bandwidth.value = 63_GBps;
  broken.scale_up.in_switch_reduction.value = false;
  CHECK_THAT(cause_of(judged(as_on(broken, 8, 1), "dgx-h100")), ContainsText("PCIe"));
}

TEST_CASE("a published log of another network is told as what sets it apart") {
  // The machine has EFA (27 us a hop), but InfiniBand (5 us) was stated with as many Gb/s.
  const auto efa = judged(published_table("aws-h100sxm-2x8-allreduce-efa-p5.txt"), "dgx-h100");
  REQUIRE(efa.slow);
  CHECK_THAT(cause_of(efa), ContainsText("a slower transport"));
  // The machine has TCPXO: 50 us a hop, and eight NICs of 200 Gb/s rather than the stated 400.
  const auto tcpxo =
      judged(published_table("gcp-h100sxm-2x8-allreduce-a3mega-tcpxo.txt"), "dgx-h100");
  REQUIRE(tcpxo.slow);
  CHECK_THAT(cause_of(tcpxo), ContainsText("a slower transport"));
}

TEST_CASE("a slower transport shows in the latency between nodes") {
  Cluster broken = dgx();
  broken.network->latency.value = 45_us;
  const auto judgement = judged(as_on(broken, 32, 4), "dgx-h100");
  CHECK(judgement.slow->first == 0);
  CHECK_THAT(cause_of(judgement), ContainsText("a slower transport"));
  // Over four nodes a launch that waits 30 us for the host looks nearly the same.
  CHECK_THAT(causes_of(judged(as_on(dgx(), 32, 4, 30_us), "dgx-h100")), ContainsText("host"));
}

TEST_CASE("a slow table without a known cause says none") {
  CollectiveTable table = as_on(dgx(), 64, 8);
  for (CollectiveRow& row : table.rows) *row.out_of_place *= 1.4;
  const auto judgement = judged(table, "dgx-h100");
  REQUIRE(judgement.slow);
  CHECK(judgement.slow->factor > 1.3);
  CHECK(cause_of(judgement).empty());
}

TEST_CASE("two full nodes that are taken for sixteen are faster than these") {
  CollectiveTable table = as_on(dgx(), 16, 2);
  CHECK_FALSE(judged(table, "dgx-h100").is_fast());
  table.nodes = 16;
  const TableJudgement judgement = judged(table, "dgx-h100");
  CHECK(judgement.is_normal());
  CHECK(judgement.is_fast());
}

TEST_CASE("a table beyond its links is not normal") {
  CollectiveTable table = as_on(dgx(), 8, 1);
  for (CollectiveRow& row : table.rows) *row.out_of_place *= 0.4;
  const auto judgement = judged(table, "dgx-h100");
  CHECK_FALSE(judgement.is_normal());
  CHECK_THAT(judgement.impossible, ContainsText("scale-up links of 450 GB/s"));
}
