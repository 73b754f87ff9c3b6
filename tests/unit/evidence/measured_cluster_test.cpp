#include "sim/evidence/measured_cluster.hpp"

#include "sim/cluster/measured_machine.hpp"
#include "sim/evidence/knowledge.hpp"
#include "sim/evidence/machine_of_log.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("a cluster's own calibration is carried over from no other") {
  Library library = Library::load(configs);
  const auto on = [&](const char* cluster) {
    return measured_cluster(library.cluster(cluster), library, configs, "h100-dgx-1x8")
        .measured->on;
  };
  CHECK_FALSE(on("dgx-h100").has_value());
  REQUIRE(on("dgx-h200").has_value());
  CHECK(on("dgx-h200")->name == "dgx-h100");
}

TEST_CASE("a shipped calibration answers for the ranks that it measured, at any size") {
  Library library = Library::load(configs);
  const Knowledge knowledge = knowledge_of(library, configs, {});
  const auto found = [&](const char* cluster, int ranks, double size,
                         CollectiveKind kind = CollectiveKind::AllReduce) {
    return calibration_of(knowledge, library.cluster(cluster), kind, ranks, Bytes{size});
  };
  CHECK(found("gb200-nvl72", 72, 0x1p30) == "gb200-coreweave");
  CHECK(found("gb200-nvl72", 4, 0x1p20) == "gb200-aiconfigurator");
  CHECK(found("gb200-nvl72", 72, 0x1p23) == "gb200-coreweave");  // below the smallest measured size
  CHECK(found("abci-a", 64, 0x1p25) == "a100-abci");
  CHECK(found("abci-a", 64, 4e7) == "a100-abci");  // above the largest
  CHECK(found("gb200-nvl72", 144, 0x1p30).empty());
  CHECK(found("gb200-nvl72", 72, 0x1p30, CollectiveKind::AllGather).empty());
  CHECK(found("oracle-gb200", 72, 0x1p30).empty());
  // The later release wins if two tables have equally many sizes.
  CHECK(found("polaris", 32, 0x1p20) == "a100-polaris-nccl2.21");
  // Two laboratories measured one node of H100, and one of them has all sizes.
  CHECK(found("dgx-h100", 8, 0x1p30) == "h100-dgx-1x8");
}

TEST_CASE("a log with the rows of a shipped table is of that table's machine") {
  Library library = Library::load(configs);
  const Cluster& alps = library.cluster("dgx-h100");
  CollectiveTable table = find_calibration(configs, "h100-dgx-1x8").tables.front();
  const Knowledge knowledge{.known = {{.table = table, .laboratory = "a", .cluster = nullptr},
                                      {.table = table, .laboratory = "b", .cluster = &alps}},
                            .cluster_of = {}};
  table.file = "copy.txt";
  table.source.clear();
  const TemporaryFile log("copy.txt", "1024 20.0\n");
  const MachineOfLog machine = machine_of_log(table, log.path(), library, knowledge);
  CHECK(machine.cluster() == &alps);
  CHECK(machine.by == "its rows are those of the shipped calibration 'b'");
}

TEST_CASE("a calibration with two tables of one collective on as many ranks and nodes is refused") {
  Library library = Library::load(configs);
  CollectiveCalibration twice = find_calibration(configs, "h100-dgx-1x8");
  twice.tables = {twice.tables.front(), twice.tables.front()};
  twice.tables[1].file = "slow.txt";
  const TemporaryFile file("twice.yaml", to_yaml(twice));
  const auto refused = [&] {
    return refusal([&] {
      measured_cluster(library.cluster("dgx-h100"), library, configs, file.path().string());
    });
  };
  CHECK_THAT(refused(), ContainsText("twice.yaml: tables: "));
  CHECK_THAT(refused(), ContainsText(" is measured twice, in " + twice.tables[0].file +
                                     " and slow.txt: a calibration holds it once"));
  twice.tables[1].algorithm = "Ring";
  CHECK(measured_twice(twice.tables).empty());
}
