#include "sim/report/validate_report.hpp"

#include "sim/report/steps_report.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

ScoredRow scored_row(CollectiveKind kind, const std::string& fault = "") {
  return {.file = "a.txt",
          .collective = kind,
          .size = Bytes{1},
          .measured = Seconds{1},
          .predicted = Seconds{1},
          .low = Seconds{0.5},
          .high = Seconds{2},
          .fault = fault};
}

/// The line that begins with `begin`, with single spaces.
std::string line_of(const std::string& text, const std::string& begin) {
  const auto at = text.find("\n" + begin + " ");
  if (at == std::string::npos) return "none";
  std::string line;
  for (const char c : text.substr(at + 1, text.find('\n', at + 1) - at - 1))
    if (c != ' ' || line.back() != ' ') line += c;
  return line;
}

}  // namespace

TEST_CASE("collectives are summed up as all-reduce, others and all, tables with faults apart") {
  const std::string text =
      validate_text(protocol_named("split", "--protocol"),
                    {scored_row(CollectiveKind::AllReduce), scored_row(CollectiveKind::AllReduce),
                     scored_row(CollectiveKind::AllReduce), scored_row(CollectiveKind::AllGather),
                     scored_row(CollectiveKind::AllReduce, "too fast")})
          .screen;
  CHECK_THAT(line_of(text, "all-reduce"), Catch::Matchers::StartsWith("all-reduce 3 "));
  CHECK_THAT(line_of(text, "the others"), Catch::Matchers::StartsWith("the others 1 "));
  CHECK_THAT(line_of(text, "all"), Catch::Matchers::StartsWith("all 4 "));
  CHECK_THAT(line_of(text, "tables that lint names"),
             Catch::Matchers::StartsWith("tables that lint names 1 "));
  CHECK_THAT(line_of(text, "all, with those"), Catch::Matchers::StartsWith("all, with those 5 "));
  CHECK(line_of(text, "independent") == "none");  // no row is in-sample
}

TEST_CASE("a laboratory whose tables are in-sample is named once, with its rows") {
  std::vector<ScoredRow> rows(4, scored_row(CollectiveKind::AllReduce));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].laboratory = i < 3 ? "near" : "far";
    rows[i].taught = i < 3 ? "the latency" : "the bandwidth";
  }
  Scores scores;
  scores.rows = rows;
  const std::string text = "\n" + validate_notes(scores, {});
  CHECK(line_of(text, "in-sample") == "in-sample near (3 rows) set the latency");
  CHECK_THAT(text, ContainsText("far (1 row) set the bandwidth"));
  CHECK(text.find("near (") == text.rfind("near ("));
}

TEST_CASE("steps are split in quarters by how far their prediction reaches") {
  std::vector<ScoredStep> steps;
  for (int i = 1; i <= 12; ++i)
    steps.push_back({.stack = "a", .measured = 1, .predicted = 1, .deviation = 0.01 * i});
  const std::string text = steps_text(steps, StepProtocol::LeftOutModel).details;
  for (const std::string quarter : {"1, nearest quarter", "2", "3", "4, farthest quarter"})
    CHECK_THAT(line_of(text, "reach " + quarter),
               Catch::Matchers::StartsWith("reach " + quarter + " 3 "));
}
