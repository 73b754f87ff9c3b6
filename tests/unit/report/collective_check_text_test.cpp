#include <algorithm>

#include <fmt/format.h>

#include "sim/report/collective_check_report.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

const SlownessCause& cause_named(std::string_view name) {
  return *std::find_if(causes().begin(), causes().end(),
                       [&](const SlownessCause& each) { return each.name == name; });
}

/// A table of two nodes, of which 8 GiB took 335.5 ms: over 16 ranks 8.59 GB x 15 / 8 / 335.5 ms =
/// 48.0 GB/s on the bus.
JudgedTable of_two_nodes(std::vector<LikelyCause> likely) {
  JudgedTable judged;
  judged.judgement.likely = std::move(likely);
  judged.judgement.nics_per_node = 8;
  ScoredRow& row = judged.judgement.rows.emplace_back().scored;
  row.ranks = 16;
  row.nodes = 2;
  row.size = 8_GiB;
  row.measured = Seconds{0.3355};
  row.predicted = row.measured / 4;
  return judged;
}

}  // namespace

TEST_CASE("a second cause is told where it is half as likely as the first") {
  const SlownessCause& first = cause_named("kernel sockets");
  const SlownessCause& second = cause_named("network bandwidth");
  const auto cause_of = [&](double likely, double less) {
    return cause_text(of_two_nodes({{&first, likely}, {&second, less}}));
  };
  CHECK(cause_of(0.6, 0.4) ==
        fmt::format("{}; or (40 to 60 %) {}", first.sentence, second.sentence));
  CHECK(cause_of(0.6, 0.25) == first.sentence);
}

TEST_CASE("missing NICs are told with what those that are left carry") {
  CHECK(cause_text(of_two_nodes({{&cause_named("one NIC"), 1}})) ==
        "48 GB/s at 8.59 GB is what 1 of 8 network cards carries: all but one NIC of a node are "
        "missing or not used");
  CHECK(cause_text(of_two_nodes(
            {{&cause_named("half the NICs"), 0.5}, {&cause_named("scale-up bandwidth"), 0.4}})) ==
        "48 GB/s at 8.59 GB is what 4 of 8 network cards carry: half the NICs of a node are "
        "missing, or all run at half speed; or (40 to 50 %) bytes inside the scale-up domain take "
        "longer, small messages do not: links of it are down, or fewer channels are used; a log of "
        "one node, where no network card takes part, tells which");
}

TEST_CASE("the bandwidth of the largest size stands beside what is expected") {
  JudgedTable judged = of_two_nodes({});
  CHECK_THAT(collective_check_text({judged}),
             ContainsText("  at 8.59 GB 48 GB/s measured, 192 expected (bus bandwidth)\n"));
  CHECK_THAT(collective_check_text({judged}), ContainsText("too few rows to tell, it has 1 and a "
                                                           "verdict needs 4\n"));
}

TEST_CASE("rows of a check are in microseconds") {
  JudgedTable judged;
  judged.table.file = "a.txt";
  ScoredRow& row = judged.judgement.rows.emplace_back().scored;
  row.ranks = 8;
  row.size = Bytes{1e6};
  row.measured = 25_us;
  row.predicted = 20_us;
  row.low = 10_us;
  row.high = 34500_us;
  const std::string text = collective_check_text({judged});
  CHECK_THAT(text, ContainsText(" 25 "));
  CHECK_THAT(text, ContainsText(" 20 "));
  CHECK_THAT(text, ContainsText("10-34500"));
}
