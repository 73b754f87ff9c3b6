#include "sim/report/scorecard_report.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const std::string head = "what,n,mean_percent,median_percent,in90_percent,score\n";

using Lines = std::vector<std::string>;

struct Told {
  Lines worse, better;
  std::string text;
};

Lines lines_of(const std::vector<ScorecardChange>& changes) {
  Lines lines;
  for (const ScorecardChange& each : changes) lines.push_back(each.text());
  return lines;
}

CsvTable scorecard(const std::string& rows) { return CsvTable::parse(head + rows, "before.csv"); }

Told changes(const std::string& before, const std::string& now) {
  const ScorecardChanges all = scorecard_changes(scorecard(before), scorecard(now));
  return {lines_of(all.worse), lines_of(all.better), changes_text(all)};
}

/// Of one row `steps` of ten.
Records of_steps(double mean, double score) {
  return {.columns = {"what", "n", "mean_percent", "score"},
          .rows = {{std::string("steps"), 10LL, mean, score}}};
}
CsvTable table_of(const Records& records) { return CsvTable::parse(to_csv(records), "now.csv"); }

}  // namespace

TEST_CASE("a scorecard that differs by its last digit does not differ") {
  const auto same = changes("steps,10,5,3,90,0.4\n", "steps,10,5.01,2.99,90.01,0.41\n");
  CHECK(same.worse.empty());
  CHECK(same.better.empty());
  CHECK(same.text == "no figure differs from the scorecard\n");
}

TEST_CASE("errors and scores are worse the larger, coverage the further from 90 %") {
  const auto now = changes("steps,10,5,3,88,0.4\n", "steps,10,5.2,2.5,93,0.3\n");
  CHECK(now.worse == Lines{"steps: mean_percent 5 -> 5.2", "steps: in90_percent 88 -> 93"});
  CHECK(now.better == Lines{"steps: median_percent 3 -> 2.5", "steps: score 0.4 -> 0.3"});
}

TEST_CASE("what is scored no longer, or of fewer rows, or without an interval is worse") {
  CHECK(
      changes("runs,4,5,3,,\nsteps,10,5,3,88,0.4\n", "steps,9,5,3,,0.4\n").worse ==
      Lines{"runs: is no longer scored", "steps: n 10 -> 9", "steps: in90_percent 88 -> nothing"});
}

TEST_CASE("a new row is told as better") {
  CHECK(changes("runs,4,5,3,,\n", "runs,4,5,3,,\nsteps,9,5,3,,\n").better ==
        Lines{"steps: is new"});
}

TEST_CASE("a scorecard whose figure is no number is refused where it stands") {
  CHECK_THROWS_WITH(changes("runs,many,5,3,,\n", "runs,4,5,3,,\n"),
                    "before.csv:2:6: n: expected a number, got 'many'");
}

TEST_CASE("bias, half-widths, all shares and the score beside one width are judged") {
  const auto told = [](const std::string& column, const char* was, const char* is) {
    const auto of = [&](const char* figure) {
      return CsvTable::parse("what,n," + column + "\nsteps,10," + figure + "\n", "x.csv");
    };
    const ScorecardChanges all = scorecard_changes(of(was), of(is));
    return std::pair(all.worse.size(), all.better.size());
  };
  const std::pair<std::size_t, std::size_t> worse{1, 0};
  const std::pair<std::size_t, std::size_t> better{0, 1};
  CHECK(told("bias_percent", "1", "-2") == worse);
  CHECK(told("bias_percent", "-2", "1") == better);
  CHECK(told("half_width_percent", "10", "11") == worse);
  CHECK(told("score_over_one_width", "0.9", "1.1") == worse);
  CHECK(told("in50_percent", "52", "60") == worse);
  CHECK(told("in50_percent", "40", "45") == better);
  CHECK(told("in80_percent", "82", "74") == worse);
}

TEST_CASE("a scorecard takes a worse figure with a reason alone") {
  const CsvTable before = table_of(of_steps(5, 0.4));
  const Records now = of_steps(6, 0.3);
  const KeptScorecard refused = kept_scorecard(now, before, {});
  REQUIRE(refused.without_reason.size() == 1);
  CHECK(refused.without_reason.front().text() == "steps: mean_percent 5 -> 6");
  const std::vector<Reason> other{reason_of("runs: more of them")};
  CHECK(kept_scorecard(now, before, other).without_reason.size() == 1);

  const std::vector<Reason> own{reason_of("steps: rows that were dropped are scored")};
  const KeptScorecard kept = kept_scorecard(now, before, own);
  CHECK(kept.without_reason.empty());
  CHECK(to_csv(kept.records) ==
        "what,n,mean_percent,score,was,why\n"
        "steps,10,6,0.3,mean_percent 5,rows that were dropped are scored\n");
  // It stays while nothing changes, and goes with the next change.
  const CsvTable file = table_of(kept.records);
  CHECK(to_csv(kept_scorecard(now, file, {}).records) == to_csv(kept.records));
  CHECK(to_csv(kept_scorecard(of_steps(5, 0.3), file, {}).records) ==
        "what,n,mean_percent,score,was,why\nsteps,10,5,0.3,,\n");
}

TEST_CASE("a scorecard written by other means shows what is worse without a reason") {
  const CsvTable before = table_of(of_steps(5, 0.4));
  const auto left = [&](const std::string& row) {
    return unexplained(before,
                       CsvTable::parse("what,n,mean_percent,score,was,why\n" + row, "x.csv"))
        .size();
  };
  CHECK(left("steps,10,6,0.5,,\n") == 2);
  CHECK(left("steps,10,6,0.5,mean_percent 5,a reason\n") == 1);
  CHECK(left("steps,10,6,0.5,mean_percent 5; score 0.4,\n") == 2);
  CHECK(left("steps,10,6,0.5,mean_percent 5; score 0.4,a reason\n") == 0);
  CHECK(left("steps,10,6,0.4,mean_percent 55,a reason\n") == 1);
  CHECK(left("runs,10,6,0.4,,\n") == 1);
}

TEST_CASE("a row that is gone stays with its reason, without figures") {
  const std::vector<Reason> reasons{reason_of("steps: the table was withdrawn")};
  const CsvTable before = table_of(of_steps(5, 0.4));
  Records none = of_steps(5, 0.4);
  none.rows.clear();
  CHECK(kept_scorecard(none, before, {}).without_reason.size() == 1);
  const KeptScorecard kept = kept_scorecard(none, before, reasons);
  CHECK(to_csv(kept.records) ==
        "what,n,mean_percent,score,was,why\nsteps,,,,n 10,the table was withdrawn\n");
  CHECK(unexplained(before, table_of(kept.records)).empty());
}

TEST_CASE("a reason names its rows") {
  CHECK(reason_of("runs: a: b").why == "a: b");
  for (const char* text : {"because", ": because", "runs: ", "runs:"})
    CHECK_THAT(refusal([&] { reason_of(text); }), ContainsText("--why: expected 'ROW: REASON'"));
}
