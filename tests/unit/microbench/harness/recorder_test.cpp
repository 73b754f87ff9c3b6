#include "microbench/harness/recorder.hpp"

#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

#include <sys/resource.h>

#include "microbench/harness/summary.hpp"
#include "microbench/harness/thread_team.hpp"
#include "sim/config/load_record.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::bench;
using namespace tofn::test;

namespace {

RecordPoint launch(const std::string& mode, bool is_complete) {
  RecordPoint point;
  point.kind = "launch";
  point.parameters = {{"device", std::string("d")}, {"mode", mode}};
  point.started = "2026-11-21T09:30:00Z";
  point.visits = {3};
  point.is_complete = is_complete;
  point.host_samples = {1e-6, 2e-6, 3e-6};
  point.summary = summarize(point.host_samples, point.visits);
  return point;
}

Record record_with(std::vector<RecordPoint> points) {
  Record record;
  record.provenance = {{"command", "tofn-bench"}};
  record.hosts = {{.name = "h", .ranks = 1, .devices = {}}};
  record.points = std::move(points);
  return record;
}

std::string content(std::istream& file) {
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path);
  return content(file);
}

/// Outcome of `work` on a team of a single rank.
template <class Work>
std::string alone(Work work) {
  std::string ending = "done";
  run_threads(1, [&](Team& team) {
    try {
      work(team);
    } catch (const SharedFailure& failure) {
      ending = std::to_string(failure.exit_code()) + ": " + failure.what();
    }
    return 0;
  });
  return ending;
}

/// Limits the size of this process's files while it exists, as a full disk would.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

}  // namespace

TEST_CASE("a record is there before anything is measured, and grows with each finished point") {
  const TemporaryFile file("grows.json", "what was here before");
  alone([&](Team& team) {
    Recorder recorder(team, file.path(), record_with({}));
    CHECK(load_record(file.path()).points.empty());
    CHECK(recorder.holdings() == "0 finished points are in " + file.path().string());

    recorder.put(launch("half", false));
    CHECK(load_record(file.path()).points.empty());  // unfinished points are written later
    recorder.put(launch("whole", true));
    const Record two = load_record(file.path());
    REQUIRE(two.points.size() == 2);
    CHECK_FALSE(two.points[0].is_complete);
    CHECK(two.points[1].is_complete);
    CHECK(recorder.holdings() == "1 finished point is in " + file.path().string());

    recorder.put(launch("half", true));  // finishes the same point
    const Record done = load_record(file.path());
    REQUIRE(done.points.size() == 2);
    CHECK(done.points[0].is_complete);
    CHECK(recorder.holdings() == "2 finished points are in " + file.path().string());
  });
}

TEST_CASE("unfinished points are written every few seconds") {
  const TemporaryFile file("waits.json", "");
  alone([&](Team& team) {
    Recorder recorder(team, file.path(), record_with({}));
    std::this_thread::sleep_for(std::chrono::milliseconds(2100));
    recorder.put(launch("half", false));
    CHECK(load_record(file.path()).points.size() == 1);
  });
}

TEST_CASE("a file is replaced whole: who reads it meanwhile has all of the one before") {
  const TemporaryFile file("atomic.json", "");
  alone([&](Team& team) {
    Recorder recorder(team, file.path(), record_with({}));
    const std::string before = content(file.path());
    std::ifstream reader(file.path());
    recorder.put(launch("whole", true));
    CHECK(content(reader) == before);
    CHECK(content(file.path()) == to_json(record_with({launch("whole", true)})));
  });
}

TEST_CASE("only finished points of before are left out when resuming") {
  const TemporaryFile file("resumes.json", "");
  alone([&](Team& team) {
    const Recorder recorder(team, file.path(),
                            record_with({launch("half", false), launch("whole", true)}));
    CHECK(content(file.path()) ==
          to_json(record_with({launch("half", false), launch("whole", true)})));
    const RecordPoint* known = recorder.complete(launch("whole", false));
    REQUIRE(known != nullptr);
    CHECK(known->host_samples.size() == 3);
    CHECK(recorder.complete(launch("half", false)) == nullptr);
    CHECK(recorder.complete(launch("new", false)) == nullptr);
    RecordPoint other_kind = launch("whole", false);
    other_kind.kind = "memory";
    CHECK(recorder.complete(other_kind) == nullptr);
    CHECK(recorder.holdings() == "1 finished point is in " + file.path().string());
  });
}

TEST_CASE("a path that cannot be written ends all ranks at once with the system's reason") {
  const std::string path = "/no/such/folder/x.json";
  std::vector<std::string> endings(3);
  run_threads(3, [&](Team& team) {
    try {
      const Recorder recorder(team, path, record_with({}));
    } catch (const SharedFailure& failure) {
      endings[static_cast<std::size_t>(team.rank())] =
          std::to_string(failure.exit_code()) + ": " + failure.what();
    }
    return 0;
  });
  CHECK(endings == std::vector<std::string>(
                       3, "2: " + path + ": cannot be written: No such file or directory"));
}

TEST_CASE("when the disk is full the file of before is left") {
  const TemporaryFile file("full.json", "");
  std::string before;
  const std::string ending = alone([&](Team& team) {
    Recorder recorder(team, file.path(), record_with({}));
    recorder.put(launch("whole", true));
    before = content(file.path());
    const SmallDisk disk(before.size() + 10);
    recorder.put(launch("more", true));
  });
  CHECK(ending == "1: " + file.path().string() + ": cannot be written: File too large");
  CHECK(content(file.path()) == before);
  std::size_t beside = 0;
  for (const auto& entry : std::filesystem::directory_iterator(file.path().parent_path()))
    if (entry.path().string().starts_with(file.path().string())) ++beside;
  CHECK(beside == 1);  // no partial file is left
}

TEST_CASE("without a path nothing is written, and points are known all the same") {
  CHECK(alone([](Team& team) {
          Recorder recorder(team, {}, record_with({}));
          recorder.put(launch("whole", true));
          CHECK(recorder.complete(launch("whole", false)) != nullptr);
          CHECK(recorder.holdings().empty());
        }) == "done");
}
