#include <random>

#include "sim/blocks/progress_line.hpp"
#include "tests/catch.hpp"
#include "tests/sweep/job.hpp"
#include "tests/sweep/points.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

using Milliseconds = std::chrono::milliseconds;

/// More work than ten runs complete before they are killed. The rows do not depend on the work, so
/// the last run need not do any.
constexpr int killed_points = 400000;
const std::string killed_slow = std::to_string(killed_points) + " 100000 --resume ";
const std::string killed_fast = std::to_string(killed_points) + " 0 --resume ";

void check_finishes(const std::string& before, const std::string& file) {
  const Outcome outcome = run_command(before + sweep(killed_fast + "-o '" + file + "'"));
  INFO(outcome.errors);
  CHECK(outcome.exit_code == 0);
  CHECK(content(file) == expected_csv(killed_points));
  CHECK_FALSE(std::filesystem::exists(file + ".part"));
  CHECK_FALSE(std::filesystem::exists(file + ".journal"));
}

}  // namespace

TEST_CASE("killed at ten random moments and resumed, the file is that of an undisturbed run") {
  const TemporaryFolder folder;
  const std::string file = folder.file("x.csv");
  std::mt19937 random(1);
  std::uint64_t kept = 0;
  for (int i = 0; i < 10; ++i) {
    Running run(folder, sweep(killed_slow + "--threads 2 -o '" + file + "'"));
    // Every other run is killed so early that it has hardly begun.
    std::this_thread::sleep_for(Milliseconds(random() % (i % 2 == 0 ? 2000 : 40)));
    ::kill(run.process(), SIGKILL);
    CHECK(run.finish().exit_code == -1);
    CHECK(kept_blocks(file) >= kept);  // no written block is lost
    kept = kept_blocks(file);
  }
  CHECK(kept > 0);
  check_finishes("", file);
}

TEST_CASE("killed while the last rows come or the file is made, it is made when resumed") {
  const TemporaryFolder folder;
  std::mt19937 random(2);
  for (const char* suffix : {".csv", ".jsonl", ".sqlite"}) {
    const std::string file = folder.file(std::string("x") + suffix);
    const std::string job = sweep("100000 0 --resume -o '" + file + "'");
    const auto start = std::chrono::steady_clock::now();
    REQUIRE(run_command(job).exit_code == 0);
    const auto time = std::chrono::steady_clock::now() - start;
    const std::string undisturbed = content(file);
    for (int i = 0; i < 10; ++i) {
      std::filesystem::remove(file);
      {
        Running run(folder, job);
        std::this_thread::sleep_for(time * (random() % 100) / 100);
        ::kill(run.process(), SIGKILL);
      }
      CHECK(run_command(job).exit_code == 0);
      CHECK(content(file) == undisturbed);
      CHECK_FALSE(std::filesystem::exists(file + ".part"));
    }
  }
}

TEST_CASE("a rank that dies ends the job, and the job goes on where it was") {
  if (cannot_start(2)) return;
  const TemporaryFolder folder;
  const std::string file = folder.file("x.csv");
  std::uint64_t kept = 0;
  for (const int rank : {1, 0, 2}) {
    Running run(folder,
                mpirun(3) + leaving_its_number(folder) + sweep(killed_slow + "-o '" + file + "'"));
    REQUIRE(wait_until([&] { return kept_blocks(file) > kept; }));
    kill_rank(folder, rank, SIGKILL);
    const Outcome outcome = run.finish();
    CHECK(outcome.exit_code == 137);  // 128 + SIGKILL, reported by mpirun
    kept = kept_blocks(file);
    if (rank == 0) continue;  // the killed rank prints nothing
    CHECK(
        own_line(outcome) ==
        fmt::format("ended by SIGTERM; {} of 400,000 points are kept in {}.part, --resume goes on",
                    grouped(16 * kept), file));
  }
  check_finishes(mpirun(2), file);
}
