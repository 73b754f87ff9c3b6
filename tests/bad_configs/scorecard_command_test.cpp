#include <string>

#include "tests/bad_configs/program.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn::test;

TEST_CASE("a scorecard is held against another by the reasons that stand in it") {
  const std::string head = "what,n,mean_percent,was,why\n";
  const TemporaryFile before("before.csv", head + "steps,10,5,,\nruns,43,36,,\n");
  const auto against = [&](const std::string& rows) {
    const TemporaryFile now("now.csv", head + rows);
    return run_program("validate all '" + now.path().string() + "' --against '" +
                       before.path().string() + "'");
  };
  const Outcome worse = against("steps,10,6,,\nruns,43,36,,\n");
  CHECK(worse.exit_code == 1);
  CHECK(worse.output == "worse without a reason: steps: mean_percent 5 -> 6\n");
  CHECK(against("steps,10,6,mean_percent 5,a cause (without it: mean_percent 5)\nruns,43,36,,\n")
            .exit_code == 0);
  CHECK(against("steps,10,5,,\n").output == "worse without a reason: runs: is no longer scored\n");
}
