#include <sys/resource.h>

#include "microbench/harness/machine.hpp"
#include "tests/catch.hpp"
#include "tests/mpi/job.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Command that takes a second a table for nine tables, so that tests can interrupt it.
const std::string slow =
    "collective --backend mpi --op all --sizes 8B,1KiB --precision 0.0001 --max-time 500ms ";

std::string rank_0() { return "tofn-bench: host " + bench::host_name() + ", rank 0: "; }

/// The only line of tofn-bench, or all of standard error if there is not just one.
std::string own_line(const Outcome& outcome) {
  const auto lines = own_lines(outcome.errors);
  return lines.size() == 1 ? lines[0] : "not one line: " + outcome.errors;
}

void check_ended_by(const char* signal, const Outcome& outcome, const std::string& file) {
  INFO(outcome.errors);
  CHECK(own_line(outcome).starts_with(rank_0() + "ended by " + signal + " during "));
  CHECK(own_line(outcome).ends_with("; " + holdings(file) + ", --resume goes on"));
}

/// Checks that the job resumes and that points finished before stay the same.
void check_resumes(const std::string& file) {
  const Record before = load_record(file);
  const Outcome outcome =
      run_ranks(2,
                "collective --backend mpi --op all --sizes 8B,1KiB --max-time 10ms "
                "--visit-time 1ms --resume -o '" +
                    file + "'");
  CHECK(outcome.exit_code == 0);
  const Record after = load_record(file);
  CHECK(count_complete(after) == 18);
  REQUIRE(after.points.size() == 18);
  for (std::size_t i = 0; i < before.points.size(); ++i) {
    if (!before.points[i].is_complete) continue;
    CHECK(after.points[i].started == before.points[i].started);
    CHECK(after.points[i].host_samples == before.points[i].host_samples);
  }
}

}  // namespace

TEST_CASE("a killed rank takes the job along, and the record holds what was finished") {
  const TemporaryFolder folder;
  Job job(folder, 2, slow);
  REQUIRE(job.wait_for_points(2));
  ::kill(job.rank(1), SIGKILL);
  const Outcome outcome = job.finish();
  CHECK(outcome.exit_code == 137);  // 128 + SIGKILL, reported by mpirun
  CHECK(count_complete(load_record(job.record_file())) >= 2);
  check_ended_by("SIGTERM", outcome, job.record_file());  // sent by mpirun
  check_resumes(job.record_file());
}

TEST_CASE("the record outlives the rank that writes it") {
  const TemporaryFolder folder;
  Job job(folder, 2, slow);
  REQUIRE(job.wait_for_points(2));
  ::kill(job.rank(0), SIGKILL);
  CHECK(job.finish().exit_code == 137);
  CHECK(count_complete(load_record(job.record_file())) >= 2);
}

TEST_CASE("Ctrl-C on mpirun keeps what was finished") {
  const TemporaryFolder folder;
  Job job(folder, 2, slow);
  REQUIRE(job.wait_for_points(2));
  ::kill(job.process(), SIGINT);
  const Outcome outcome = job.finish();
  CHECK(outcome.exit_code == 1);  // mpirun's own code after Ctrl-C
  CHECK(count_complete(load_record(job.record_file())) >= 2);
  // Open MPI's mpirun sometimes drops the output of its ranks after Ctrl-C.
  if (!own_lines(outcome.errors).empty()) check_ended_by("SIGTERM", outcome, job.record_file());
}

TEST_CASE("a rank that is interrupted ends with 130, and takes the job along") {
  const TemporaryFolder folder;
  Job job(folder, 2, slow);
  REQUIRE(job.wait_for_points(1));
  ::kill(job.rank(0), SIGINT);
  const Outcome outcome = job.finish();
  CHECK(outcome.exit_code == 130);  // tofn-bench's code, passed on by mpirun
  check_ended_by("SIGINT", outcome, job.record_file());
}

TEST_CASE("a rank ends in order, too, where libraries have started threads before it") {
  const TemporaryFolder folder;
  const std::string memory =
      "compute --processor cpu --kind memory --sizes 4KiB,8KiB,16KiB --precision 0.0001 "
      "--max-time 500ms";
  Job job(folder, 1, memory, "export OPENBLAS_NUM_THREADS=4");
  REQUIRE(job.wait_for_points(1));
  ::kill(job.rank(0), SIGTERM);
  const Outcome outcome = job.finish();
  CHECK(outcome.exit_code == 130);
  check_ended_by("SIGTERM", outcome, job.record_file());
}

TEST_CASE("a signal that nohup has a rank ignore does not end it") {
  const TemporaryFolder folder;
  Job job(folder, 2, slow, "trap '' HUP");
  REQUIRE(job.wait_for_points(1));
  ::kill(job.rank(0), SIGHUP);
  CHECK(job.wait_for_points(count_complete(load_record(job.record_file())) + 1));
}

TEST_CASE("where the first rank is the one that is gone the next one speaks") {
  const TemporaryFolder folder;
  Job job(folder, 4, slow + "--timeout 2s");
  REQUIRE(job.wait_for_points(1));
  ::kill(job.rank(0), SIGSTOP);
  const Outcome outcome = job.finish();
  CHECK(outcome.exit_code == 1);
  const auto lines = own_lines(outcome.errors);
  REQUIRE(!lines.empty());
  CHECK(lines[0].starts_with("tofn-bench: host " + bench::host_name() + ", rank 1: "));
}

TEST_CASE("a rank that has nothing to say simply ends when it is told to") {
  const TemporaryFolder folder;
  Job job(folder, 2, slow);
  REQUIRE(job.wait_for_points(1));
  ::kill(job.rank(1), SIGTERM);
  CHECK(job.finish().exit_code == 143);  // 128 + SIGTERM, reported by mpirun
  CHECK(count_complete(load_record(job.record_file())) >= 1);
}

TEST_CASE("a rank that stalls is noticed, and the record holds what was finished") {
  const TemporaryFolder folder;
  Job job(folder, 2, slow + "--timeout 2s");
  REQUIRE(job.wait_for_points(1));
  ::kill(job.rank(1), SIGSTOP);
  const Outcome outcome = job.finish();
  CHECK(outcome.exit_code == 1);
  CHECK(own_line(outcome).starts_with(rank_0()));
  CHECK(own_line(outcome).ends_with(
      ", world): nothing has moved for 2 s (--timeout): another rank or the network has stalled; " +
      holdings(job.record_file())));
}

TEST_CASE("when no more can be written the job ends with the reason and the record of before") {
  const TemporaryFolder folder;
  Job job(folder, 2, slow);
  REQUIRE(job.wait_for_points(2));
  // The limit stops rank 0 at the current file size, as a full disk would.
  const rlim_t size = std::filesystem::file_size(job.record_file());
  const rlimit limit{.rlim_cur = size, .rlim_max = size};
  REQUIRE(::prlimit(job.rank(0), RLIMIT_FSIZE, &limit, nullptr) == 0);
  const Outcome outcome = job.finish();
  CHECK(outcome.exit_code == 1);
  CHECK(own_line(outcome) == "tofn-bench: " + job.record_file() +
                                 ": cannot be written: File too large; " +
                                 holdings(job.record_file()));
  CHECK(count_complete(load_record(job.record_file())) >= 2);
  check_resumes(job.record_file());
}

TEST_CASE("a disk that fills up leaves the last record that fitted") {
  const TemporaryFolder folder;
  const std::string disk = folder.file("disk");
  const std::string copy = folder.file("record.json");
  std::filesystem::create_directory(disk);
  const std::string mount = "mount -t tmpfs -o size=64k tofn '" + disk + "'";
  if (run_command("unshare -m " + mount).exit_code != 0) {
    WARN("no disk of its own may be mounted here: not tested");
    return;
  }
  // The disk disappears with the shell's namespace, so the shell copies the file.
  std::ofstream(folder.file("run.sh"))
      << mount << "\n"
      << mpirun(2) << tofn_bench(slow + "-o '" + disk + "/record.json'") << "\ncode=$?\ncp '"
      << disk << "/record.json' '" << copy << "'\nls '" << disk << "'\nexit $code\n";
  const Outcome outcome = run_command("unshare -m sh '" + folder.file("run.sh") + "'");
  CHECK(outcome.exit_code == 1);
  const std::string held = holdings(copy);
  CHECK(own_line(outcome) ==
        "tofn-bench: " + disk + "/record.json: cannot be written: No space left on device; " +
            held.substr(0, held.find(" in ")) + " in " + disk + "/record.json");
  CHECK(outcome.output.ends_with("record.json\n"));
  CHECK(outcome.output.find("partial") == std::string::npos);  // no partial file is left
}
