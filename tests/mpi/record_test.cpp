#include "microbench/harness/machine.hpp"
#include "tests/catch.hpp"
#include "tests/mpi/job.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const std::string record_quick =
    "collective --backend mpi --max-time 10ms --visit-time 1ms --place out ";

using Lines = std::vector<std::string>;

std::string content(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("a record is not overwritten unless that is asked for") {
  const TemporaryFolder folder;
  const std::string file = folder.file("record.json");
  const std::string arguments = record_quick + "--sizes 8B -o '" + file + "'";
  REQUIRE(run_ranks(2, arguments).exit_code == 0);
  const std::string before = content(file);

  const Outcome refused = run_ranks(2, arguments);
  CHECK(refused.exit_code == 2);
  CHECK(own_lines(refused.errors) ==
        Lines{"tofn-bench: " + file +
              ": is there already: --resume goes on with it, --overwrite drops it"});
  CHECK(refused.output.empty());
  CHECK(content(file) == before);

  CHECK(run_ranks(2, record_quick + "--sizes 64B --overwrite -o '" + file + "'").exit_code == 0);
  const Record after = load_record(file);
  REQUIRE(after.points.size() == 1);
  CHECK(std::get<long long>(*parameter(after.points[0], "size_bytes")) == 64);
}

TEST_CASE("a file that is no record is neither resumed nor overwritten by mistake") {
  const TemporaryFolder folder;
  const std::string file = folder.file("notes.txt");
  std::ofstream(file) << "{\"mine\": 1}\n";
  const Outcome refused = run_ranks(2, record_quick + "--sizes 8B --resume -o '" + file + "'");
  CHECK(refused.exit_code == 2);
  REQUIRE(own_lines(refused.errors).size() == 1);
  CHECK(own_lines(refused.errors)[0].starts_with("tofn-bench: " + file + ":1:"));
  CHECK(content(file) == "{\"mine\": 1}\n");
}

TEST_CASE("resuming measures only what is missing") {
  const TemporaryFolder folder;
  const std::string file = folder.file("record.json");
  REQUIRE(run_ranks(2, record_quick + "--sizes 8B,1KiB -o '" + file + "'").exit_code == 0);
  const Record before = load_record(file);
  const Outcome resumed =
      run_ranks(2, record_quick + "--sizes 8B,64B,1KiB --resume -o '" + file + "'");
  CHECK(resumed.exit_code == 0);
  CHECK(resumed.output.ends_with("\n3 finished points are in " + file + "\n"));

  const Record after = load_record(file);
  REQUIRE(before.points.size() == 2);
  REQUIRE(after.points.size() == 3);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(after.points[i].started == before.points[i].started);
    CHECK(after.points[i].host_samples == before.points[i].host_samples);
  }
  CHECK(std::get<long long>(*parameter(after.points[2], "size_bytes")) == 64);
  CHECK(after.provenance.size() == before.provenance.size() + 1);
  CHECK(after.provenance.back().first.starts_with("resumed 20"));
  CHECK_THAT(after.provenance.back().second, ContainsText("--sizes 8B,64B,1KiB --resume"));
}

TEST_CASE("a record of another number of ranks is not resumed") {
  const TemporaryFolder folder;
  const std::string file = folder.file("record.json");
  REQUIRE(run_ranks(2, record_quick + "--sizes 8B -o '" + file + "'").exit_code == 0);
  const std::string before = content(file);
  const Outcome refused = run_ranks(3, record_quick + "--sizes 8B --resume -o '" + file + "'");
  CHECK(refused.exit_code == 2);
  const std::string host = bench::host_name();
  CHECK(own_lines(refused.errors) ==
        Lines{"tofn-bench: " + file + ": was measured on " + host + " (2 ranks), this is " + host +
              " (3 ranks): a record is of one machine"});
  CHECK(refused.output.empty());
  CHECK(content(file) == before);
}

TEST_CASE("a record of other settings is not resumed") {
  const TemporaryFolder folder;
  const std::string file = folder.file("record.json");
  const auto run_with = [&](const std::string& settings) {
    return run_command("env " + settings + " SLURM_JOB_ID=" + std::to_string(::getpid()) + ' ' +
                       mpirun(2) +
                       tofn_bench(record_quick + "--sizes 8B --resume -o '" + file + "'"));
  };
  REQUIRE(run_with("NCCL_ALGO=Ring").exit_code == 0);
  CHECK(run_with("NCCL_ALGO=Ring SLURM_JOB_NAME=again").exit_code == 0);
  const Outcome other = run_with("NCCL_ALGO=Tree");
  CHECK(other.exit_code == 2);
  CHECK(own_lines(other.errors) ==
        Lines{"tofn-bench: " + file +
              ": was measured with NCCL_ALGO=Ring, and this job has it not: set it, or write "
              "another record"});
  const Outcome more = run_with("NCCL_ALGO=Ring UCX_TLS=tcp");
  CHECK(more.exit_code == 2);
  CHECK(own_lines(more.errors) ==
        Lines{"tofn-bench: " + file +
              ": was measured without UCX_TLS=tcp, which this job has: unset it, or write "
              "another record"});
}

TEST_CASE("an output that cannot be written is said before anything is measured") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("file")) << "x";
  const std::vector<std::pair<std::string, std::string>> places{
      {folder.file("missing/record.json"), "No such file or directory"},
      {folder.file("file/record.json"), "Not a directory"},
      {"/dev/full", "No space left on device"}};
  for (const auto& [file, why] : places) {
    const Outcome outcome = run_ranks(2, record_quick + "--sizes 8B -o '" + file + "'");
    CHECK(outcome.exit_code == (file == "/dev/full" ? 1 : 2));
    CHECK(own_lines(outcome.errors) ==
          Lines{"tofn-bench: " + file + ": cannot be written: " + why});
    CHECK(outcome.output.empty());
  }
}

TEST_CASE("a folder that may only be read is said before anything is measured") {
  if (::geteuid() == 0) {
    WARN("root may write everywhere: not tested");
    return;
  }
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("read-only"));
  std::filesystem::permissions(folder.file("read-only"), std::filesystem::perms::owner_read |
                                                             std::filesystem::perms::owner_exec);
  const std::string file = folder.file("read-only/record.json");
  const Outcome outcome = run_ranks(2, record_quick + "--sizes 8B -o '" + file + "'");
  CHECK(outcome.exit_code == 2);
  CHECK(own_lines(outcome.errors) ==
        Lines{"tofn-bench: " + file + ": cannot be written: Permission denied"});
  CHECK(outcome.output.empty());
}
