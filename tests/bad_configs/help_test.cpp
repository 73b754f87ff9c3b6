#include <string>

#include "tests/bad_configs/program.hpp"
#include "tests/catch.hpp"

using namespace tofn::test;

TEST_CASE("help needs nothing else") {
  for (const std::string command : {"collective", "compute", "step", "suite"}) {
    const Outcome outcome = run_command("'" TOFN_BENCH_BINARY "' " + command + " --help");
    INFO(command);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.output.starts_with("usage: tofn-bench " + command));
  }
}
