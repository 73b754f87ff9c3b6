#include "sim/curves/fit_nodes.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "tests/unit/curves/known_tables.hpp"

namespace tofn {

namespace {

using test::ContainsText;
using test::microseconds;
using test::rows_of;
using test::table_of;
using test::WithinRel;

/// Microseconds of a law: 10 us + 8 us per doubling, at 20 GB/s.
double law(double bytes, int nodes) { return 10 + 8 * std::log2(nodes) + bytes / 2e4; }

CollectiveTable law_table(int nodes) {
  return table_of(rows_of([nodes](double bytes) { return law(bytes, nodes); }, 3, 30, 1), nodes,
                  8 * nodes);
}

std::vector<CollectiveTable> law_tables(const std::vector<int>& counts) {
  std::vector<CollectiveTable> tables;
  for (const int nodes : counts) tables.push_back(law_table(nodes));
  return tables;
}

double width(const NodesFit& fit, Bytes size, int nodes) {
  const CurveAnswer answer = fit.at(size, nodes);
  return answer.high / answer.low;
}

}  // namespace

TEST_CASE(
    "latency that grows with the logarithm of nodes is recovered beyond the measured counts") {
  const NodesFit fit = fit_nodes(law_tables({2, 4, 8}));
  for (const double bytes : {8.0, 4096.0, 1048576.0, 1e9}) {
    for (const int nodes : {16, 32, 100}) {
      const CurveAnswer answer = fit.at(Bytes{bytes}, nodes);
      CHECK_THAT(microseconds(answer.time), WithinRel(law(bytes, nodes), 0.005));
      CHECK(answer.basis == Basis::Extrapolated);
    }
  }
}

TEST_CASE("between measured counts the law is interpolated") {
  const NodesFit fit = fit_nodes(law_tables({2, 8}));
  const CurveAnswer answer = fit.at(8_B, 4);
  CHECK_THAT(microseconds(answer.time), WithinRel(law(8, 4), 0.005));
  CHECK(answer.basis == Basis::Interpolated);
  CHECK(fit.at(8_B, 8).basis == Basis::Measured);
}

TEST_CASE("one node is a tier of its own and does not bend the law of the others") {
  std::vector<CollectiveTable> tables = law_tables({1, 2, 4, 8});
  for (CollectiveRow& row : tables[0].rows) *row.out_of_place *= 0.2;
  CHECK_THAT(microseconds(fit_nodes(tables).at(8_B, 32).time), WithinRel(law(8, 32), 0.005));
}

TEST_CASE("the interval widens with every doubling of nodes") {
  const NodesFit fit = fit_nodes(law_tables({2, 4}));
  CHECK(width(fit, 1_MiB, 8) > width(fit, 1_MiB, 4));
  CHECK(width(fit, 1_MiB, 16) > width(fit, 1_MiB, 8));
  CHECK(width(fit, 1_MiB, 64) > width(fit, 1_MiB, 16));
}

TEST_CASE("fewer nodes than measured take no longer, and are a guess") {
  const NodesFit fit = fit_nodes(law_tables({4, 8}));
  const CurveAnswer answer = fit.at(8_B, 1);
  CHECK_THAT(microseconds(answer.time), WithinRel(10.0, 0.01));
  CHECK(answer.basis == Basis::Extrapolated);
}

TEST_CASE("how far the nodes lie beyond those measured is said") {
  const NodesFit fit = fit_nodes(law_tables({2, 4, 8}));
  CHECK(fit.at(1_KiB, 4).beyond == 1);
  CHECK(fit.at(1_KiB, 6).beyond == 1);
  CHECK_THAT(fit.at(1_KiB, 64).beyond, WithinRel(8.0, 1e-12));
  CHECK_THAT(fit.at(1_KiB, 1).beyond, WithinRel(2.0, 1e-12));
}

TEST_CASE("one table, or none beyond two nodes, is said to support no more nodes") {
  const NodesFit one = fit_nodes(law_tables({4}));
  REQUIRE(one.warnings.size() == 1);
  CHECK_THAT(one.warnings[0], ContainsText("only 4 node(s) measured"));
  CHECK(width(one, 1_MiB, 8) > 3);
  const NodesFit two = fit_nodes(law_tables({1, 2}));
  REQUIRE(two.warnings.size() == 1);
  CHECK_THAT(two.warnings[0], ContainsText("measure 4"));
  CHECK(fit_nodes(law_tables({2, 3})).warnings.empty());
  CHECK(fit_nodes(law_tables({2, 4})).warnings.empty());
}

TEST_CASE("tables that do not belong together are refused") {
  CHECK_THROWS_WITH(fit_nodes({}), ContainsText("no table"));
  std::vector<CollectiveTable> tables = law_tables({2, 4});
  tables[1].ranks = 16;
  CHECK_THROWS_WITH(fit_nodes(tables), ContainsText("ranks: 4 per node, but 8 in known.txt"));
  tables = law_tables({2, 4});
  tables[1].collective = CollectiveKind::AllGather;
  CHECK_THROWS_WITH(fit_nodes(tables), ContainsText("collective: differs"));
  CHECK_THROWS_WITH(fit_nodes(law_tables({2, 2})), ContainsText("nodes: 2: measured twice"));
  tables[0].ranks = 15;
  CHECK_THROWS_WITH(fit_nodes(tables), ContainsText("nodes: 15 ranks on 2 nodes"));
}

}  // namespace tofn
