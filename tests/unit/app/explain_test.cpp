#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "sim/app/answered.hpp"
#include "sim/core/error.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

CommandAnswer explained(const std::vector<std::string>& words) {
  return tofn::answered({.command = "explain", .arguments = words}).answer;
}

// Questions whose columns are tested here. The glossary's test has the commands that read logs.
const std::vector<Question> questions{
    {"predict", {"bert", "dgx-h100"}, {{"accelerators", 64}}},
    {"predict", {"llama3-8b", "dgx-h100"}, {{"accelerators", 64}, {"sensitivity", true}}},
    {"plan", {"llama3-8b", "dgx-h100:64"}, {{"tokens", "1T"}, {"deadline", "30d"}}},
    {"step", {"llama3-8b", "dgx-h100"}, {{"accelerators", 16}, {"batch", 64}}},
    {"step", {"bert", "dgx-h100"}, {{"accelerators", 16}}},
    {"scale", {"bert", "dgx-h100"}, {{"accelerators", "8..64"}, {"table", "laws"}}},
    {"scale", {"bert", "dgx-h100"}, {{"accelerators", "8..64"}, {"table", "knees"}}},
    {"scale", {"bert", "dgx-h100"}, {{"accelerators", "8..64"}, {"table", "left-out"}}},
    {"collective",
     {},
     {{"collective", "all-reduce"}, {"cluster", "dgx-h100"}, {"ranks", 64}, {"size", "1GB"}}},
    {"compare"},
    {"study"},
    {"study", {}, {{"table", "losses"}}},
    {"study", {}, {{"table", "clusters"}}},
    {"study", {}, {{"table", "claims"}}},
    {"scale", {}, {{"quotes", TOFN_SOURCE_DIR "/configs/quotes"}}},
    {"validate", {"energy"}},
    {"validate", {"published"}},
    {"validate", {"runs"}},
    {"predict",
     {"llama3-8b", "dgx-h100"},
     {{"accelerators", 16}, {"tokens", "1T"}, {"table", "stages"}}},
    {"predict",
     {"llama3-8b", "dgx-h100"},
     {{"accelerators", 16}, {"tokens", "1T"}, {"table", "passes"}}},
    {"predict",
     {"llama3-8b", "dgx-h100"},
     {{"accelerators", 16}, {"tokens", "1T"}, {"table", "spans"}}},
    {"check", {TOFN_SOURCE_DIR "/configs/clusters/dgx-h100.yaml"}},
    {"sweep", {"network-speed"}},
    {"list", {}},
    {"list", {"accelerators"}},
    {"list", {"clusters"}},
    {"list", {"fabrics"}},
    {"list", {"baselines"}},
    {"list", {"workloads"}},
    {"list", {"models"}},
    {"list", {"plans"}},
    {"list", {"runs"}},
    {"list", {"stacks"}},
    {"list", {"architectures"}},
    {"list", {"disclosures"}},
    {"list", {"sweeps"}},
    {"list", {"calibrations"}},
    {"list", {"fields"}},
    {"list", {"figures"}},
    {"explain", {"MFU"}}};

/// Answers to the questions, in their order, computed once.
const std::vector<CommandAnswer>& answers_to_questions() {
  static const std::vector<CommandAnswer> answers = [] {
    std::vector<CommandAnswer> all;
    for (const Question& question : questions) all.push_back(tofn::answered(question).answer);
    return all;
  }();
  return answers;
}

}  // namespace

TEST_CASE("every column of an answer is explained", "[app]") {
  for (std::size_t i = 0; i < questions.size(); ++i) {
    INFO(questions[i].command);
    const std::vector<std::string>& columns = answers_to_questions()[i].records.columns;
    CHECK_FALSE(columns.empty());
    for (const std::string& column : columns) {
      INFO(column);
      CHECK(refusal([&] { explained({column}); }) == "accepted");
    }
  }
}

namespace {

/// Heads of the tables in a text: the words above each stretch of a rule.
std::vector<std::string> heads_in(const std::string& text) {
  std::vector<std::string> heads;
  std::string above;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line); above = line) {
    if (line.empty() || line.find_first_not_of("- ") != std::string::npos || line[0] == ' ')
      continue;
    for (std::size_t at = 0; at < line.size();) {
      const std::size_t end = std::min(line.find(' ', at), line.size());
      if (at < above.size()) {
        std::string head = above.substr(at, end - at);
        head.erase(0, head.find_first_not_of(' '));
        head.erase(head.find_last_not_of(' ') + 1);
        if (!head.empty()) heads.push_back(head);
      }
      at = end + 1;
    }
  }
  return heads;
}

}  // namespace

TEST_CASE("every head of a printed table is explained", "[app]") {
  const std::vector<Question> of_several_sizes{
      {"predict", {"bert", "dgx-h100"}, {{"accelerators", "8..64"}}},
      {"predict", {"llama3-8b", "dgx-h100"}, {{"accelerators", "16,32"}, {"tokens", "1T"}}},
      {"step", {"bert", "dgx-h100"}, {{"accelerators", "16..64"}}}};
  std::set<std::string> heads;
  const auto add = [&](const CommandAnswer& answer) {
    for (std::string& head : heads_in(answer.text + '\n' + answer.details))
      heads.insert(std::move(head));
  };
  for (const Question& question : of_several_sizes) add(tofn::answered(question).answer);
  for (std::size_t i = 0; i < questions.size(); ++i)
    if (questions[i].command != "study" && questions[i].command != "sweep")
      add(answers_to_questions()[i]);
  for (const char* head : {"expected", "gross", "in time %", "limited by", "simulated"})
    CHECK(heads.contains(head));
  // This head contains the number of stages.
  std::erase_if(heads, [](const std::string& head) { return head.starts_with("memory of stage"); });
  for (const std::string& head : heads) {
    INFO(head);
    CHECK(refusal([&] { explained({head}); }) == "accepted");
  }
}

TEST_CASE("a term is explained with formula, source and use", "[app]") {
  CHECK_THAT(explained({"critical", "batch"}).text,
             ContainsText("formula   samples = least samples x (1 + batch / critical batch)"));
  CHECK_THAT(explained({"critical", "batch"}).text, ContainsText("critical_batch of a run"));
  CHECK_THAT(explained({"deadline"}).text, ContainsText("option of predict"));
  CHECK_THAT(explained({}).text, ContainsText("pipeline schedules: gpipe, 1f1b"));
  CHECK(explained({"mfu"}).records.rows.size() > 1);
}

TEST_CASE("a term that is not known is refused with near ones", "[app]") {
  CHECK(refusal([] { explained({"goodptu"}); }) ==
        "unknown term 'goodptu', did you mean 'goodput'? `tofn explain` lists the terms");
  CHECK(refusal([] { explained({"xyzzy"}); }) ==
        "unknown term 'xyzzy'; `tofn explain` lists the terms");
}

TEST_CASE("an option that several commands describe alike is explained once", "[app]") {
  const std::string text = explained({"overrun"}).text;
  const auto first = text.find("--overrun (options)");
  REQUIRE(first != std::string::npos);
  CHECK(text.find("--overrun (options)", first + 1) == std::string::npos);
  CHECK_THAT(text, ContainsText("option of predict, plan, "));
}

TEST_CASE("an option is told of the commands that take it, and of none that refuses it", "[app]") {
  for (const char* option : {"deadline", "budget", "memory-margin", "batch-tokens"}) {
    INFO(option);
    const std::string text = explained({option}).text;
    CHECK_THAT(text, ContainsText("predict"));
    CHECK_THAT(text, !ContainsText(", step"));
  }
  CHECK_THAT(explained({"trace"}).text, ContainsText("step"));
}
