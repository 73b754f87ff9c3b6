#include <filesystem>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include "tests/bad_configs/program.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn::test;

namespace {

/// What stands after a heading, over all its lines.
std::string said_after(const std::string& heading, const std::string& text) {
  std::istringstream lines(text);
  std::string said;
  for (std::string line; std::getline(lines, line);) {
    if (said.empty() ? line.starts_with(heading + " ") : line.starts_with("              "))
      said += (said.empty() ? "" : " ") + line.substr(14);
    else if (!said.empty())
      break;
  }
  return said;
}

nlohmann::json rows_of(const std::string& arguments) {
  const Outcome outcome = run_program(arguments + " --format json");
  INFO(arguments << "\n" << outcome.errors);
  REQUIRE(outcome.exit_code == 0);
  return nlohmann::json::parse(outcome.output).at("rows");
}

}  // namespace

TEST_CASE("the command that a plan ends with predicts the plan") {
  const TemporaryFile prices("my prices.yaml",
                             "format: 2\nname: quotes\ndate: 2026-11-20\n"
                             "clusters:\n  dgx-h100:\n    on_demand: 3 USD/h [assumed]\n"
                             "    spot: 1 USD/h [assumed]\n    preemption_every: 20 h [assumed]\n");
  const std::string list = " --prices '" + prices.path().string() + "'";
  for (const std::string& asked :
       {std::string("llama3-8b dgx-h100 --tokens 300B -N 8..64 --deadline 60d"),
        std::string("llama3-8b dgx-h100 dgx-a100 --tokens=300B -N 64,2048 --by time --energy 9G"),
        "llama3-8b dgx-h100 --tokens 300B -N 16 --price-term on_demand,spot" + list,
        std::string("llama3-8b dgx-h100 --samples 100k -N 24 --batch 240 --tp 2 --search usual "
                    "--memory-margin 20% --stack megatron-core --precision bf16"),
        std::string("bloom-176b-training dgx-a100 -N 384 --by energy")}) {
    INFO(asked);
    const Outcome planned = run_program("plan " + asked);
    REQUIRE(planned.exit_code == 0);
    const std::string command = said_after("again", planned.output);
    INFO(command);
    REQUIRE(command.starts_with("tofn predict "));
    const auto predicted = rows_of(command.substr(5)).at(0);
    bool is_found = false;
    for (const auto& row : rows_of("plan " + asked)) {
      if (row.at("is_best").get<int>() == 0) continue;
      is_found = true;
      CHECK(row.at("plan") == predicted.at("plan"));
      for (const char* figure : {"days", "cost_usd", "energy_kwh", "tokens", "lost_s"})
        CHECK_THAT(predicted.at(figure).get<double>(),
                   WithinRel(row.at(figure).get<double>(), 1e-9));
    }
    CHECK(is_found);
  }
}

TEST_CASE("Ctrl-C ends a search with the best so far") {
  const Outcome outcome = run_command("env TOFN_CONFIGS='" + configs_folder() +
                                      "' timeout --preserve-status -s INT 2 '" TOFN_BINARY
                                      "' plan llama3-70b --tokens 15T -N 64..131072");
  CHECK(outcome.exit_code == 130);
  CHECK_THAT(outcome.output, ContainsText("candidates or more were not tried. The best so far:"));
  CHECK_THAT(outcome.output, ContainsText("\nagain "));
}
