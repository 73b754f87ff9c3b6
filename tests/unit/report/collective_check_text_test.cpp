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

/// A table of two nodes, in which 8 GiB took 335.5 ms: 8.59 GB x 15 / 8 / 335.5 ms = 48.0 GB/s on
/// the bus of 16 ranks.
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

TEST_CASE("results that a benchmark found wrong are the verdict, whatever the times") {
  JudgedTable judged = of_two_nodes({});
  const JudgedRow row = judged.judgement.rows.front();
  judged.judgement.rows.assign(fewest_of_band, row);
  REQUIRE(judged.is_normal());
  judged.table.wrong_results = "2752 wrong values at 67.1 MB";
  CHECK_FALSE(judged.is_normal());
  CHECK(verdict_word(judged) == "wrong results");
  CHECK(verdict_text(judged).starts_with(
      "WRONG RESULTS: the benchmark found 2752 wrong values at 67.1 MB"));
}

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

TEST_CASE("causes stand with their odds, and below them what to test next") {
  const SlownessCause& one = cause_named("one NIC");
  const SlownessCause& other = cause_named("scale-up bandwidth");
  const std::string lone = cause_notes(of_two_nodes({{&one, 0.9}, {&other, 0.04}}));
  CHECK(lone == fmt::format("likely cause  90 %: 48 GB/s at 8.59 GB is what 1 of 8 network cards "
                            "carries: {}\ntest next     {}\n",
                            one.sentence, one.test));
  const std::string both = cause_notes(of_two_nodes({{&one, 0.6}, {&other, 0.3}}));
  CHECK_THAT(both, ContainsText(fmt::format("\nor            30 %: {}\n", other.sentence)));
  CHECK_THAT(both, ContainsText("\ntest next     a log of one node, where no network card takes "));
  CHECK(cause_notes(of_two_nodes({})) == "likely cause  no known cause shows so\n");
  for (const SlownessCause& each : causes()) CHECK_FALSE(each.test.empty());
}

TEST_CASE("several tables have a line each, and a cause that they share stands once") {
  const SlownessCause& cause = cause_named("launch");
  JudgedTable judged = of_two_nodes({{&cause, 0.9}});
  judged.judgement.slow = SlowBand{.first = 0, .last = 0, .factor = 4};
  const std::string text = collective_check_text({judged, judged, of_two_nodes({})}).screen;
  CHECK_THAT(text, ContainsText("3 tables: 2 SLOW, 1 too few rows\n"));
  CHECK(text.find(cause.sentence) == text.rfind(cause.sentence));
}

TEST_CASE("the bandwidth of the largest size stands beside what is expected") {
  JudgedTable judged = of_two_nodes({});
  const std::string text = collective_check_text({judged}).screen;
  CHECK_THAT(
      text,
      ContainsText("bandwidth     48 GB/s of bus bandwidth measured at 8.59 GB, 192 expected ("));
  CHECK_THAT(text, ContainsText("too few rows to judge: it has 1, and a verdict needs 4\n"));
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
  const std::string text = collective_check_text({judged}).details;
  CHECK_THAT(text, ContainsText(" 25 "));
  CHECK_THAT(text, ContainsText(" 20 "));
  CHECK_THAT(text, ContainsText("10 to 34500"));
}
