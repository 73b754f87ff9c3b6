#include "sim/core/records.hpp"
#include "sim/report/scorecard_report.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const std::string head = "what,n,mean_percent,median_percent,in90_percent,score\n";

using Lines = std::vector<std::string>;

struct Reported {
  Lines worse, better;
  std::string text;
};

Lines lines_of(const std::vector<ScorecardChange>& changes) {
  Lines lines;
  for (const ScorecardChange& each : changes) lines.push_back(each.text());
  return lines;
}

CsvTable scorecard(const std::string& rows) { return CsvTable::parse(head + rows, "before.csv"); }

Reported changes(const std::string& before, const std::string& now) {
  const ScorecardChanges all = scorecard_changes(scorecard(before), scorecard(now));
  return {lines_of(all.worse), lines_of(all.better), changes_text(all)};
}

/// One row `steps` of ten measurements.
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
  const auto now = changes("steps,10,5,3,88,0.4\n", "steps,10,5.2,2.5,101,0.3\n");
  CHECK(now.worse == Lines{"steps: mean_percent 5 -> 5.2"});
  CHECK(now.better == Lines{"steps: median_percent 3 -> 2.5", "steps: score 0.4 -> 0.3"});
  CHECK(changes("steps,10,5,3,88,0.4\n", "steps,10,5,3,77,0.4\n").worse ==
        Lines{"steps: in90_percent 88 -> 77"});
}

// A mean of 5 may grow by 3 % in a table and by 10 % in a group. One of ten measurements may leave
// the intervals, and ten of a thousand.
TEST_CASE("what grows by less than matters is counted") {
  CHECK(changes("steps,10,5,3,88,0.4\n", "steps,10,5.15,3,88,0.4\n").text ==
        "1 figure worse by less than matters (3 % of a table, 10 % of a group)\n");
  CHECK(changes("steps,10,5,3,88,0.4\n", "steps,10,5.17,3,88,0.4\n").worse.size() == 1);
  CHECK(changes("\"steps, a\",10,5,3,88,0.4\n", "\"steps, a\",10,5.5,3,88,0.4\n").worse.empty());
  CHECK(changes("\"steps, a\",10,5,3,88,0.4\n", "\"steps, a\",10,5.52,3,88,0.4\n").worse.size() ==
        1);
  CHECK(changes("steps,10,5,3,90,0.4\n", "steps,10,5,3,80,0.4\n").worse.empty());
  CHECK(changes("steps,1000,5,3,90,0.4\n", "steps,1000,5,3,88.9,0.4\n").worse.size() == 1);
}

TEST_CASE("small steps do not add up: the mean is held against its best of as many rows") {
  const std::string with_best = "what,n,mean_percent,best_mean_percent\n";
  const auto worse = [&](const std::string& now) {
    return lines_of(scorecard_changes(CsvTable::parse(with_best + "steps,10,5.1,5\n", "a.csv"),
                                      CsvTable::parse("what,n,mean_percent\n" + now, "b.csv"))
                        .worse);
  };
  CHECK(worse("steps,10,5.2\n").size() == 1);
  CHECK(worse("steps,11,5.2\n").empty());  // 5.1 was of ten other rows
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

// A table of ten with a mean of 10 % allows a bias to grow by 0.3, a width by 3 % of itself, and a
// share by one of ten.
TEST_CASE("bias, half-widths, all shares and the score beside one width are judged") {
  const auto reported = [](const std::string& column, const char* was, const char* is) {
    const auto of = [&](const char* figure) {
      return CsvTable::parse("what,n,mean_percent," + column + "\nsteps,10,10," + figure + "\n",
                             "x.csv");
    };
    const ScorecardChanges all = scorecard_changes(of(was), of(is));
    return std::pair(all.worse.size(), all.better.size());
  };
  const std::pair<std::size_t, std::size_t> worse{1, 0};
  const std::pair<std::size_t, std::size_t> better{0, 1};
  const std::pair<std::size_t, std::size_t> neither{0, 0};
  CHECK(reported("bias_percent", "1", "-2") == worse);
  CHECK(reported("bias_percent", "1", "1.3") == neither);
  CHECK(reported("bias_percent", "-2", "1") == better);
  CHECK(reported("half_width_percent", "10", "11") == worse);
  CHECK(reported("half_width_percent", "10", "10.3") == neither);
  CHECK(reported("score_over_one_width", "0.9", "1.1") == worse);
  CHECK(reported("in50_percent", "52", "63") == worse);
  CHECK(reported("in50_percent", "52", "60") == neither);
  CHECK(reported("in50_percent", "40", "45") == better);
  CHECK(reported("in80_percent", "82", "67") == worse);
}

TEST_CASE("a scorecard takes a worse figure with a cause that an experiment shows alone") {
  const CsvTable before = table_of(of_steps(5, 0.4));
  const Records now = of_steps(6, 0.3);
  const std::vector<Reason> own{reason_of("steps: rows that were dropped are scored")};
  const auto left = [&](const std::vector<Reason>& reasons, double without_the_change) {
    return kept_scorecard(now, before, reasons,
                          std::vector{table_of(of_steps(without_the_change, 0.4))})
        .without_reason.size();
  };
  const KeptScorecard refused = kept_scorecard(now, before, own);
  REQUIRE(refused.without_reason.size() == 1);
  CHECK(refused.without_reason.front().text() == "steps: mean_percent 5 -> 6");
  CHECK(left({}, 5) == 1);
  CHECK(left({reason_of("step: a name that only begins alike")}, 5) == 1);
  CHECK(left(own, 5.6) == 1);  // most of the growth also occurs without the change
  CHECK(left(own, 5.5) == 0);

  const std::vector experiments{table_of(of_steps(6, 0.4)), table_of(of_steps(5.1, 0.4))};
  const KeptScorecard kept = kept_scorecard(now, before, own, experiments);
  CHECK(kept.without_reason.empty());
  CHECK(to_csv(kept.records) ==
        "what,n,mean_percent,score,best_mean_percent,was,why\n"
        "steps,10,6,0.3,6,mean_percent 5,rows that were dropped are scored (without it: "
        "mean_percent 5.1)\n");
  // The reason stays while nothing changes, and goes with the next change.
  const CsvTable file = table_of(kept.records);
  CHECK(to_csv(kept_scorecard(now, file, {}).records) == to_csv(kept.records));
  CHECK(to_csv(kept_scorecard(of_steps(5, 0.3), file, {}).records) ==
        "what,n,mean_percent,score,best_mean_percent,was,why\nsteps,10,5,0.3,5,,\n");
  CHECK(to_csv(kept_scorecard(of_steps(6.1, 0.3), file, {}).records).find(",6.1,0.3,6,") !=
        std::string::npos);
}

TEST_CASE("one cause serves three rows at most") {
  Records before{.columns = {"what", "n", "mean_percent"}, .rows = {}};
  Records now = before;
  std::vector<Reason> reasons;
  for (const std::string row : {"a", "b", "c"}) {
    before.rows.push_back({row, 10LL, 5.0});
    now.rows.push_back({row, 10LL, 6.0});
    reasons.push_back(reason_of(row + ": a fact that was stated"));
  }
  CHECK(kept_scorecard(now, table_of(before), reasons, std::vector{table_of(before)})
            .without_reason.empty());
  before.rows.push_back({std::string("d"), 10LL, 5.0});
  now.rows.push_back({std::string("d"), 10LL, 6.0});
  reasons.push_back(reason_of("d: a fact that was stated"));
  CHECK_THAT(refusal([&] {
               kept_scorecard(now, table_of(before), reasons, std::vector{table_of(before)});
             }),
             ContainsText("--why: 'a fact that was stated' is the cause of more than 3 rows"));
}

TEST_CASE("a scorecard written by other means shows what is worse without a reason") {
  const CsvTable before = table_of(of_steps(5, 0.4));
  const auto left = [&](const std::string& row) {
    return unexplained(before,
                       CsvTable::parse("what,n,mean_percent,score,was,why\n" + row, "x.csv"))
        .size();
  };
  const std::string cause = "a cause (without it: mean_percent 5; score 0.4)";
  CHECK(left("steps,10,6,0.5,,\n") == 2);
  CHECK(left("steps,10,6,0.5,mean_percent 5," + cause + '\n') == 1);
  CHECK(left("steps,10,6,0.5,mean_percent 5; score 0.4,\n") == 2);
  CHECK(left("steps,10,6,0.5,mean_percent 5; score 0.4,a cause\n") == 2);
  CHECK(left("steps,10,6,0.5,mean_percent 5; score 0.4," + cause + '\n') == 0);
  CHECK(left("steps,10,6,0.4,mean_percent 55," + cause + '\n') == 1);
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
        "what,n,mean_percent,score,best_mean_percent,was,why\nsteps,,,,,n 10,the table was "
        "withdrawn\n");
  CHECK(unexplained(before, table_of(kept.records)).empty());
}

TEST_CASE("a reason names its rows") {
  CHECK(reason_of("runs: a: b").cause == "a: b");
  for (const char* text : {"because", ": because", "runs: ", "runs:"})
    CHECK_THAT(refusal([&] { reason_of(text); }), ContainsText("--why: expected 'ROW: CAUSE'"));
}
