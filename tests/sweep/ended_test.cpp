#include "tests/catch.hpp"
#include "tests/sweep/job.hpp"
#include "tests/sweep/points.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

constexpr int points = 400000;
const std::string slow = std::to_string(points) + " 100000 ";
const std::string fast = std::to_string(points) + " 0 ";

/// Number of kept points in the message of an ended run. The message must begin with `why`.
int kept_points(const Outcome& outcome, const std::string& why, const std::string& file) {
  const std::string line = own_line(outcome);
  INFO(line);
  CHECK(line.starts_with(why + "; "));
  CHECK(line.ends_with(" of 400,000 points are kept in " + file + ".part, --resume goes on"));
  std::string number;
  for (const char c : line.substr(std::min(line.size(), why.size() + 2))) {
    if (c == ' ') break;
    if (c != ',') number += c;
  }
  return number.empty() ? -1 : std::stoi(number);
}

void check_resumes(const std::string& file) {
  const Outcome outcome = run_command(sweep(fast + "--resume -o '" + file + "'"));
  INFO(outcome.errors);
  CHECK(outcome.exit_code == 0);
  CHECK(content(file) == expected_csv(points));
}

}  // namespace

TEST_CASE("Ctrl-C and SIGTERM keep what was finished and say how to go on") {
  const TemporaryFolder folder;
  const std::string file = folder.file("x.csv");
  Running run(folder, sweep(slow + "--threads 2 -o '" + file + "'"));
  REQUIRE(wait_until([&] { return kept_blocks(file) > 0; }));
  SECTION("Ctrl-C") {
    ::kill(run.process(), SIGINT);
    const Outcome outcome = run.finish();
    CHECK(outcome.exit_code == 130);
    CHECK(kept_points(outcome, "interrupted", file) > 0);
  }
  SECTION("SIGTERM") {
    ::kill(run.process(), SIGTERM);
    const Outcome outcome = run.finish();
    CHECK(outcome.exit_code == 143);
    CHECK(kept_points(outcome, "ended by SIGTERM", file) > 0);
  }
  check_resumes(file);
}

TEST_CASE("a second Ctrl-C ends at once") {
  const TemporaryFolder folder;
  const std::string file = folder.file("x.csv");
  // Each block takes some seconds.
  Running run(folder, sweep("400000 1000000000 --threads 1 -o '" + file + "'"));
  REQUIRE(wait_until([&] { return !content(file + ".part").empty(); }));
  std::this_thread::sleep_for(std::chrono::milliseconds(500));  // the first block has then begun
  // A busy process may see two signals as one, so the test sends more until the run ends.
  for (int i = 0; i < 2 || (i < 10 && !run.has_ended()); ++i) {
    ::kill(run.process(), SIGINT);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  }
  const auto start = std::chrono::steady_clock::now();
  CHECK(run.finish().exit_code == -1);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(2));
  check_resumes(file);
}

TEST_CASE("a rank that is told to end ends the job in good order") {
  if (cannot_start(2)) return;
  const TemporaryFolder folder;
  const std::string file = folder.file("x.csv");
  const int rank = GENERATE(0, 1);
  Running run(folder, mpirun(2) + leaving_its_number(folder) + sweep(slow + "-o '" + file + "'"));
  REQUIRE(wait_until([&] { return kept_blocks(file) > 0; }));
  kill_rank(folder, rank, SIGTERM);
  const Outcome outcome = run.finish();
  CHECK(outcome.exit_code == 143);
  CHECK(kept_points(outcome, "ended by SIGTERM", file) > 0);
  check_resumes(file);
}

TEST_CASE("an exception in a worker ends the job with its line, and keeps what was finished") {
  const TemporaryFolder folder;
  const std::string file = folder.file("x.csv");
  const std::string broken = fast + "--fail-at 300000 -o '" + file + "'";
  const int ranks = GENERATE(0, 1, 3);
  if (cannot_start(ranks)) return;
  const Outcome outcome = run_command((ranks > 0 ? mpirun(ranks) : "") + sweep(broken));
  CHECK(outcome.exit_code == 2);
  const int kept = kept_points(outcome, "point 300000: there is no such cluster", file);
  CHECK(kept > 0);
  CHECK(kept <= 300000);
  check_resumes(file);
}

TEST_CASE("ranks that were given different sweeps do not run") {
  if (cannot_start(2)) return;
  const TemporaryFolder folder;
  const Outcome outcome =
      run_command(mpirun(1) + sweep(slow + "-o '" + folder.file("x.csv") + "'") + " : -np 1 " +
                  sweep(slow + "--identity two -o '" + folder.file("x.csv") + "'"));
  CHECK(outcome.exit_code == 2);
  CHECK(own_line(outcome).starts_with(
      "rank 1 has another sweep than rank 0: settings two rather than one; "));
}

TEST_CASE("a run that may not begin is refused once, by however many ranks") {
  const TemporaryFolder folder;
  const std::string file = folder.file("x.csv");
  const std::string refused = file +
                              ".part: is what an unfinished run left: --resume goes on "
                              "with it, `rm " +
                              file + ".part " + file + ".journal` starts anew";
  std::ofstream(file + ".part") << "a";
  const std::string command = sweep(fast + "-o '" + file + "'");
  const Outcome alone = run_command(command);
  CHECK(alone.exit_code == 2);
  CHECK(own_line(alone) == refused);
  if (!has_mpi) return;
  const Outcome ranks = run_command(mpirun(3) + command);
  CHECK(ranks.exit_code == 2);
  CHECK(own_line(ranks) == refused);
}

TEST_CASE("when no more can be written the run ends with the reason and what is kept") {
  const TemporaryFolder folder;
  const std::string file = folder.file("x.csv");
  const int ranks = GENERATE(0, 2);
  if (cannot_start(ranks)) return;
  // A limit of 4 MB per file acts like a disk that has filled up, because the rows are 11 MB.
  std::ofstream(folder.file("run.sh")) << "ulimit -f 8192\nexec \"$@\"\n";
  const Outcome outcome =
      run_command((ranks > 0 ? mpirun(ranks) : "") + "sh '" + folder.file("run.sh") + "' " +
                  sweep(fast + "-o '" + file + "'"));
  CHECK(outcome.exit_code == 1);
  kept_points(outcome, file + ".part: cannot be written: File too large", file);
  check_resumes(file);
}
