#include "sim/evidence/case_cluster.hpp"

#include <fmt/format.h>

#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;

namespace {

Cluster machine_of(const char* accelerator, int per_node) {
  static const Library library = Library::load(configs);
  const CsvTable table = CsvTable::parse(
      fmt::format("accelerator,gpus_per_node\n{},{}\n", accelerator, per_node), "t.csv");
  return case_cluster({table, 0}, library);
}

}  // namespace

TEST_CASE("a node that is cut or grown keeps its NICs for each accelerator") {
  const Cluster whole = machine_of("H100 SXM", 8);
  CHECK(whole.name == "dgx-h100");
  CHECK(whole.network->nics_per_node.value == 8);
  for (const int per_node : {1, 2, 6}) {
    const Cluster cut = machine_of("H100 SXM", per_node);
    INFO(cut.name);
    CHECK(cut.accelerators_per_node.value == per_node);
    CHECK(cut.network->nics_per_node.value == per_node);
  }
}
