#include "sim/validation/lint.hpp"

#include <utility>

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// An all-reduce over 8 ranks with rows of (bytes, microseconds); lines count from 1.
CollectiveTable table_of(const std::vector<std::pair<double, double>>& rows) {
  CollectiveTable table;
  table.ranks = 8;
  table.nodes = 1;
  for (const auto& [size, microseconds] : rows)
    table.rows.push_back({.size = Bytes(size),
                          .out_of_place = Seconds(microseconds / 1e6),
                          .in_place = {},
                          .line = static_cast<int>(table.rows.size()) + 1});
  return table;
}

}  // namespace

TEST_CASE("a steady table has no fault") {
  const auto steady = table_of({{8, 25}, {16, 24}, {1024, 26}, {1 << 20, 60}, {1 << 30, 4000}});
  CHECK(faults_of(steady).first().empty());
}

TEST_CASE("a row of less than a tenth of both neighbours is unsteady") {
  CHECK(faults_of(table_of({{8, 25}, {9, 2.4}, {10, 26}})).unsteady ==
        "line 2: 9 B took 2.4 us, less than a tenth of both its neighbours");
  CHECK(faults_of(table_of({{8, 25}, {9, 2.6}, {10, 26}})).first().empty());
}

TEST_CASE("a time that more than halves where the size doubles is unsteady") {
  CHECK(faults_of(table_of({{8, 25}, {16, 12}})).unsteady ==
        "line 2: 16 B took 12 us, less than half of what 8 B took");
  CHECK(faults_of(table_of({{8, 25}, {16, 13}})).first().empty());
  CHECK(faults_of(table_of({{8, 25}, {15, 12}})).first().empty());
}

TEST_CASE("of repeats of a size the fastest counts") {
  CHECK(faults_of(table_of({{8, 25}, {8, 400}, {16, 26}})).first().empty());
}

TEST_CASE("times in other units are found at both ends") {
  CHECK(faults_of(table_of({{8, 0.025}})).impossible ==
        "line 1: 8 B took 25 ns, faster than any machine: times are not in us");
  CHECK(faults_of(table_of({{8, 2.5e6}})).impossible ==
        "line 1: 8 B took 2.5 s, longer than any machine: times are not in us");
}

TEST_CASE("bits taken for bytes exceed every link") {
  // 1 GB in 4 ms is 250 GB/s, x 1.75 = 437.5 GB/s on the bus; eight times that is 3.5 TB/s.
  CHECK(faults_of(table_of({{1e9, 4000}})).first().empty());
  CHECK(faults_of(table_of({{1e9, 500}})).impossible ==
        "line 1: 1 GB took 500 us, a bus bandwidth of 3.5 TB/s: not what one accelerator has");
}
