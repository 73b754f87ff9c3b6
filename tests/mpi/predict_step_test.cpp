// Tests the steps of scripts/predict_two_ranks.sh on a step of milliseconds, for form and not for
// speed.
#include "tests/catch.hpp"
#include "tests/mpi/job.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

Outcome tofn_program(const std::string& arguments) {
  return run_command("'" TOFN_BINARY "' " + arguments);
}

}  // namespace

TEST_CASE("cold all-reduces are points of their own") {
  const TemporaryFolder folder;
  const std::string file = folder.file("record.json");
  const Outcome outcome = run_ranks(2,
                                    "collective --backend mpi --place in --cold --sizes 8B,64KiB "
                                    "--max-time 10ms --visit-time 1ms -o '" +
                                        file + "'");
  INFO(outcome.errors);
  REQUIRE(outcome.exit_code == 0);
  CHECK_THAT(outcome.output, ContainsText("# all-reduce, fp32, in place, cold, world: 2 ranks"));
  for (const RecordPoint& point : load_record(file).points) {
    REQUIRE(parameter(point, "cold") != nullptr);
    CHECK(std::get<bool>(*parameter(point, "cold")));
  }
}

TEST_CASE("the script predicts a step on two ranks, and prints what it measured beside") {
  const TemporaryFolder folder;
  const std::string build = std::filesystem::path(TOFN_BINARY).parent_path().string();
  const std::string settings =
      "env WORKLOAD='" TOFN_SOURCE_DIR
      "/tests/mpi/data/four-layers.yaml' SCALE=1 BUCKET=1MB RUNS=2 "
      "MAX_TIME=50ms OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
      "OMPI_MCA_rmaps_base_oversubscribe=1 MPIRUN='" TOFN_MPIRUN "' BUILD='" +
      build + "' ";
  const Outcome outcome =
      run_command(settings + "'" TOFN_SOURCE_DIR "/scripts/predict_two_ranks.sh' '" +
                  folder.file("records") + "'");
  INFO(outcome.output << outcome.errors);
  REQUIRE(outcome.exit_code == 0);
  CHECK_THAT(outcome.output, ContainsText("step of four_layers on 2 ranks"));
  CHECK_THAT(outcome.output, ContainsText("T(2) predicted"));
  CHECK_THAT(outcome.output, ContainsText("\n1 "));
  CHECK_THAT(outcome.output, ContainsText("\n2 "));
  CHECK_THAT(outcome.output, ContainsText("median error "));

  const std::string one = folder.file("records/one-1.json");
  const std::string two = folder.file("records/two-1.json");
  const std::string curve = " --calibration '" + folder.file("records/reduce-1.yaml") + "'";
  CHECK(tofn_program("step --record '" + two + "'" + curve).errors ==
        "tofn: " + two +
            ": points: hold 0 finished steps on 1 rank with overlap 'compute', not "
            "one\n");
  CHECK(tofn_program("step --record '" + one + "'").errors ==
        "tofn: --calibration: is needed: measured all-reduces of so many ranks\n");
  CHECK(tofn_program("step --record '" + one + "' -N 3" + curve).errors ==
        "tofn: " + folder.file("records/reduce-1.yaml") +
            ": tables: have no all-reduce of 3 ranks on one node\n");
}
