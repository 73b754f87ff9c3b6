#include "sim/curves/measured_collectives.hpp"

#include "tests/catch.hpp"
#include "tests/unit/curves/known_tables.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// All-reduces of ranks on nodes of eight: 10 us more for each doubling of nodes, at 20 GB/s.
MeasuredCollectives measured_on(const std::vector<int>& counts) {
  std::vector<CollectiveTable> tables;
  for (const int nodes : counts)
    tables.push_back(table_of(
        rows_of([&](double bytes) { return 10 * (1 + std::log2(nodes)) + bytes / 2e4; }, 3, 30, 1),
        nodes, 8 * nodes));
  return MeasuredCollectives(tables);
}

int nodes_found(const std::vector<int>& counts, int nodes) {
  const auto found = measured_on(counts).find(CollectiveKind::AllReduce, 8, nodes);
  return found ? found->nodes : 0;
}

}  // namespace

TEST_CASE("counts up to four nodes show how a curve grows, those up to three do not") {
  CHECK(nodes_found({2, 4}, 16) == 16);
  CHECK(nodes_found({2, 3}, 16) == 0);
  CHECK(nodes_found({4}, 16) == 4);  // one count shows no growth
  CHECK(nodes_found({1, 2}, 16) == 0);
}
