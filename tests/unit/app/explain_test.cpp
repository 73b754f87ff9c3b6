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

// Commands that read logs have their columns held by the test of the glossary.
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
    {"list", {"sweeps"}},
    {"list", {"calibrations"}},
    {"list", {"fields"}},
    {"list", {"figures"}},
    {"explain", {"MFU"}}};

}  // namespace

TEST_CASE("every column of an answer is explained", "[app]") {
  for (const Question& question : questions) {
    INFO(question.command);
    const auto answer = tofn::answered(question).answer;
    CHECK_FALSE(answer.records.columns.empty());
    for (const std::string& column : answer.records.columns) {
      INFO(column);
      CHECK(refusal([&] { explained({column}); }) == "accepted");
    }
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
