#include <algorithm>

#include "sim/report/collective_candidates_report.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

/// 8 GiB over 16 ranks at 48.0 GB/s on the bus, where `expected` times as much is expected.
JudgedTable judged_on(const std::string& cluster, double expected, bool is_slow, int nodes = 2) {
  JudgedTable judged;
  judged.table.file = "a.txt";
  judged.table.ranks = 16;
  judged.table.nodes = nodes;
  judged.cluster = cluster;
  judged.judgement.rows.resize(4);
  for (JudgedRow& row : judged.judgement.rows) {
    row.scored.ranks = 16;
    row.scored.nodes = nodes;
    row.scored.size = 8_GiB;
    row.scored.measured = Seconds{0.3355};
    row.scored.predicted = row.scored.measured / expected;
  }
  if (is_slow) judged.judgement.slow = SlowBand{.first = 0, .last = 3, .factor = expected};
  return judged;
}

std::string text_of(std::vector<JudgedTable> candidates) {
  return collective_candidates_text(
             {{.candidates = std::move(candidates), .machine_by = "its rank lines ('X')"}})
      .screen;
}

}  // namespace

TEST_CASE("candidates of one verdict share a line with the option that settles it") {
  const std::string text =
      text_of({judged_on("a", 1, false), judged_on("b", 1.25, false), judged_on("c", 4, true)});
  CHECK_THAT(text,
             ContainsText("a.txt: depends on the machine: normal on 2 of 3 candidates, slow on 1"));
  CHECK_THAT(text, ContainsText("48 GB/s of bus bandwidth at 8.59 GB"));
  CHECK_THAT(text, ContainsText("normal      0.80 to 1.00    16     2 a and 1 more"));
  CHECK_THAT(text, ContainsText("slow by 4 x"));
  CHECK_THAT(text, ContainsText(" 2 c\n"));
}

TEST_CASE("a verdict on which all candidates agree heads the answer") {
  CHECK_THAT(text_of({judged_on("a", 1, false), judged_on("b", 1, false)}),
             ContainsText("a.txt: normal on each of 2 candidates"));
  JudgedTable faster = judged_on("b", 0.5, false);
  faster.judgement.impossible = "1 GB took 1 us";
  const std::string text = text_of({judged_on("a", 4, true), faster});
  CHECK_THAT(text, ContainsText("a.txt: slow, since it can only be a"));
  CHECK_THAT(text, ContainsText("faster than the links allow"));
}

TEST_CASE("open nodes stand in the option, and beyond eight lines their number") {
  std::vector<JudgedTable> candidates;
  for (int nodes = 1; nodes <= 10; ++nodes)
    candidates.push_back(judged_on("a", 1, nodes > 5, nodes));
  const std::string text = text_of(candidates);
  CHECK_THAT(text, ContainsText("depends on the nodes: normal on 5 of 10 candidates, slow on 5"));
  CHECK_THAT(text, ContainsText(" 8 a\n"));
  CHECK(text.find(" 9 a") == std::string::npos);
  CHECK_THAT(text, ContainsText("and 2 more"));
}
