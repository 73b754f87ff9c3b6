#include "tests/catch.hpp"
#include "tests/sweep/job.hpp"
#include "tests/sweep/points.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

constexpr int identical_points = 20000;
const std::string job = std::to_string(identical_points) + " 500 ";

/// Runs a whole job and returns the text of the file that it wrote.
std::string made(const std::string& before, const std::string& arguments,
                 const std::string& suffix) {
  const TemporaryFolder folder;
  const std::string file = folder.file("x" + suffix);
  const Outcome outcome = run_command(before + sweep(job + arguments + " -o '" + file + "'"));
  INFO(before << arguments << ": " << outcome.errors);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.output.empty());
  CHECK_FALSE(std::filesystem::exists(file + ".part"));
  CHECK_FALSE(std::filesystem::exists(file + ".journal"));
  return content(file);
}

}  // namespace

TEST_CASE("threads make the same bytes as one") {
  for (const char* suffix : {".csv", ".jsonl", ".sqlite"}) {
    const std::string one = made("", "--threads 1", suffix);
    CHECK_FALSE(one.empty());
    if (suffix == std::string(".csv")) CHECK(one == expected_csv(identical_points));
    CHECK(made("", "--threads 2", suffix) == one);
    CHECK(made("", "--threads 7", suffix) == one);
  }
}

TEST_CASE("ranks make the same bytes as one process") {
  if (cannot_start(2)) return;
  for (const char* suffix : {".csv", ".sqlite"}) {
    const std::string one = made("", "--threads 1", suffix);
    CHECK(made(mpirun(1), "", suffix) == one);
    CHECK(made(mpirun(2), "", suffix) == one);
    CHECK(made(mpirun(4), "", suffix) == one);
    CHECK(made(mpirun(2), "--threads 3", suffix) == one);
  }
}

TEST_CASE("rows go to standard output as they come") {
  const Outcome alone = run_command(sweep(job));
  CHECK(alone.exit_code == 0);
  CHECK(alone.output == expected_csv(identical_points));
  CHECK(alone.errors.empty());
  if (has_mpi) CHECK(run_command(mpirun(2) + sweep(job)).output == expected_csv(identical_points));
}

TEST_CASE("a job of no points, and of fewer blocks than threads") {
  CHECK(run_command(sweep("0 0")).output == expected_csv(0));
  CHECK(run_command(sweep("5 0 --threads 4")).output == expected_csv(5));
  if (has_mpi) CHECK(run_command(mpirun(4) + sweep("5 0")).output == expected_csv(5));
}
