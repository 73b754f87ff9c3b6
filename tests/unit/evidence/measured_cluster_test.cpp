#include "sim/evidence/measured_cluster.hpp"

#include "sim/evidence/knowledge.hpp"
#include "sim/evidence/machine_of_log.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
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
