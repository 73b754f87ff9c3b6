#include "sim/report/scorecard_report.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const std::string head = "what,n,mean_percent,median_percent,in90_percent,score\n";

ScorecardChanges changes(const std::string& before, const std::string& now) {
  return scorecard_changes(CsvTable::parse(head + before, "before.csv"),
                           CsvTable::parse(head + now, "now.csv"));
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("a scorecard that differs by its last digit does not differ") {
  const auto same = changes("steps,10,5,3,90,0.4\n", "steps,10,5.01,2.99,90.01,0.41\n");
  CHECK(same.worse.empty());
  CHECK(same.better.empty());
  CHECK(changes_text(same) == "no figure differs from the scorecard\n");
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
