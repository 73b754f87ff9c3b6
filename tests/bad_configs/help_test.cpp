#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "tests/bad_configs/program.hpp"
#include "tests/catch.hpp"

using namespace tofn::test;

namespace {

/// Examples in a command's help that neither read a user's file nor write one.
std::vector<std::string> examples_of(const std::string& command) {
  std::istringstream lines(run_program(command + " --help").output);
  std::vector<std::string> examples;
  const std::string start = "  tofn " + command;
  for (std::string line; std::getline(lines, line);) {
    const bool names_file = std::ranges::any_of(
        std::vector<std::string>{".yaml", ".json", ".csv", ".txt", ".log", ".sh", "/"},
        [&](const std::string& part) { return line.find(part) != std::string::npos; });
    if (line.starts_with(start) && !names_file) examples.push_back(line.substr(7));
  }
  return examples;
}

void check_examples(const std::string& command) {
  const auto examples = examples_of(command);
  CHECK_FALSE(examples.empty());
  for (const std::string& example : examples) {
    const Outcome outcome = run_program(example);
    INFO(example << "\n" << outcome.output << outcome.errors);
    CHECK(outcome.exit_code == 0);
  }
}

}  // namespace

TEST_CASE("the examples of plan's help keep their limits") { check_examples("plan"); }

TEST_CASE("the examples of help that need no file answer well") {
  for (const std::string command : {"collective", "compare", "explain", "list", "predict", "scale",
                                    "step", "study", "sweep", "validate energy"})
    check_examples(command);
}

TEST_CASE("help needs nothing else") {
  for (const std::string command : {"collective", "compute", "step", "suite"}) {
    const Outcome outcome = run_command("'" TOFN_BENCH_BINARY "' " + command + " --help");
    INFO(command);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.output.starts_with("usage: tofn-bench " + command));
  }
}
