#include "sim/validation/protocols.hpp"

#include <algorithm>
#include <cmath>

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Table of sizes from 8 B up, each four times the last: 20 us, 5 us for each doubling of nodes,
/// and 1 us per 100 KB.
CollectiveTable table_on(int nodes, const std::string& file, int sizes = 12) {
  CollectiveTable table;
  table.file = file;
  table.ranks = 8 * nodes;
  table.nodes = nodes;
  for (int i = 0; i < sizes; ++i) {
    const double size = 8 * std::exp2(2 * i);
    table.rows.push_back({.size = Bytes(size),
                          .out_of_place = Seconds((20 + 5 * std::log2(nodes) + size / 1e5) / 1e6),
                          .in_place = {}});
  }
  return table;
}

std::vector<CollectiveTable> machine(const std::vector<int>& counts) {
  std::vector<CollectiveTable> tables;
  for (const int nodes : counts)
    tables.push_back(table_on(nodes, "a-" + std::to_string(nodes) + "x8-b.txt"));
  return tables;
}

/// Pairs (most nodes that calibrated, nodes scored) of the scored tables, in order.
std::vector<std::pair<int, int>> pairs_of(const Scores& scores) {
  std::vector<std::pair<int, int>> pairs;
  for (const ScoredRow& row : scores.rows) {
    const std::pair pair(row.calibrated_nodes, row.nodes);
    if (pairs.empty() || pairs.back() != pair) pairs.push_back(pair);
  }
  return pairs;
}

}  // namespace

TEST_CASE("split scores every size once, in order") {
  const CollectiveTable table = table_on(1, "a.txt");
  const Scores scores = score_split(std::vector{table});
  REQUIRE(scores.rows.size() == table.rows.size());
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    CHECK(scores.rows[i].size == table.rows[i].size);
    CHECK(scores.rows[i].measured == *table.rows[i].out_of_place);
    CHECK(scores.rows[i].file == "a.txt");
    CHECK(scores.rows[i].basis != Basis::Measured);
    CHECK(scores.rows[i].fault.empty());
  }
  CHECK(scores.left_out.empty());
}

TEST_CASE("a row that is scored by split had no say in its prediction") {
  CollectiveTable table = table_on(1, "a.txt");
  const Scores before = score_split(std::vector{table});
  *table.rows[5].out_of_place *= 1.25;
  const Scores after = score_split(std::vector{table});
  CHECK(after.rows[5].predicted == before.rows[5].predicted);
  CHECK(after.rows[5].measured == 1.25 * before.rows[5].measured);
  CHECK(after.rows[3].predicted == before.rows[3].predicted);  // row 3 is in the same half
  CHECK(after.rows[4].predicted != before.rows[4].predicted);
}

TEST_CASE("split keeps repeats of a size together and leaves out what has too few sizes") {
  CollectiveTable table = table_on(1, "a.txt", 4);
  table.rows.insert(table.rows.begin() + 1, table.rows[1]);
  const Scores scores = score_split(std::vector{table, table_on(1, "short.txt", 2)});
  CHECK(scores.rows.size() == 5);
  for (const ScoredRow& row : scores.rows) CHECK(row.basis != Basis::Measured);
  REQUIRE(scores.left_out.size() == 1);
  CHECK(scores.left_out[0].file == "short.txt");
}

TEST_CASE("nodes scores up to four times the nodes that calibrate") {
  using Pairs = std::vector<std::pair<int, int>>;
  CHECK(pairs_of(score_nodes(machine({1, 2, 4, 8, 16}))) ==
        Pairs{{2, 4}, {2, 8}, {4, 8}, {4, 16}, {8, 16}});
  // Four times 64 nodes are 256, and the same two tables calibrate up to 64, so it is scored once.
  const Scores far = score_nodes(machine({2, 8, 256}));
  CHECK(pairs_of(far) == Pairs{{8, 256}});
  CHECK(far.rows.size() == 12);
}

TEST_CASE("of two runs on as many nodes the first calibrates and both are scored") {
  auto tables = machine({1, 2, 2, 4, 4});
  for (CollectiveRow& row : tables[2].rows) *row.out_of_place *= 2;
  const Scores once = score_nodes(machine({1, 2, 4}));
  const Scores twice = score_nodes(tables);
  REQUIRE(once.rows.size() == 12);
  REQUIRE(twice.rows.size() == 24);
  for (std::size_t i = 0; i < once.rows.size(); ++i)
    CHECK(twice.rows[i].predicted == once.rows[i].predicted);
}

TEST_CASE("larger tables have no say in what nodes predicts of them") {
  auto tables = machine({1, 2, 4, 8});
  const Scores before = score_nodes(tables);
  for (CollectiveRow& row : tables[3].rows) *row.out_of_place *= 2;
  const Scores after = score_nodes(tables);
  REQUIRE(before.rows.size() == after.rows.size());
  for (std::size_t i = 0; i < after.rows.size(); ++i)
    CHECK(after.rows[i].predicted == before.rows[i].predicted);
}

TEST_CASE("tables of another name, type or width are other machines") {
  auto tables = machine({1, 2, 4});
  tables[2].file = "c-4x8-b.txt";
  CHECK(score_nodes(tables).rows.empty());
  CHECK(score_nodes(tables).left_out.size() == 3);
  tables = machine({1, 2, 4});
  tables[2].type = "half";
  CHECK(score_nodes(tables).rows.empty());
  tables = machine({1, 2, 4});
  tables[2].ranks = 16;
  CHECK(score_nodes(tables).rows.empty());
}

TEST_CASE("a table that lint names is scored and marked; an impossible one calibrates nothing") {
  auto tables = machine({1, 2, 4});
  *tables[2].rows[6].out_of_place *= 0.05;  // unsteady
  const Scores scored = score_nodes(tables);
  REQUIRE(!scored.rows.empty());
  for (const ScoredRow& row : scored.rows) CHECK(!row.fault.empty());
  tables = machine({1, 2, 4});
  *tables[1].rows[6].out_of_place *= 0.05;
  CHECK(!score_nodes(tables).rows.empty());
  *tables[1].rows[6].out_of_place *= 0.01;  // tens of nanoseconds
  CHECK(score_nodes(tables).rows.empty());
}

TEST_CASE("protocols are found by name") {
  CHECK(protocol_named("nodes", "--protocol").name == "nodes");
  CHECK_THROWS_WITH(protocol_named("node", "--protocol"),
                    ContainsText("--protocol: unknown protocol 'node', did you mean 'nodes'?"));
}
