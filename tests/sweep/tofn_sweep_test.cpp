// Tests `tofn sweep` itself when it is killed: with all points, and with a selection, which is made
// once all points are there.
#include <algorithm>
#include <random>

#include "tests/catch.hpp"
#include "tests/sweep/job.hpp"

using namespace tofn::test;

namespace {

/// A sweep of 200,000 points, which take about half a second.
const std::string head =
    "name: test\ntitle: a test\nbase:\n  workload: bert\n  cluster: dgx-h100\naxes:\n"
    "  - multiply: cluster.network.nic_bandwidth\n    log_range: {from: 0.25, to: 4, count: 10}\n"
    "  - path: replica_batch\n    range: {from: 1, to: 100}\n"
    "  - path: accelerators\n    range: {from: 8, to: 1600, step: 8}\n"
    "columns: [batch, step_s, time_to_train_min, communication_exposed_share]\n";
const std::string selection =
    "select: {pareto: [least time_to_train_min, most samples_per_s_each], for_each: "
    "[nic_bandwidth_factor]}\n";

/// Keeps 2,000 rows, each the best of 100 points.
const std::string best = "best: {of: [replica_batch], by: least time_to_train_min}\n";

std::string tofn(const std::string& arguments) {
  return "env TOFN_CONFIGS='" TOFN_SOURCE_DIR "/configs' '" TOFN_BINARY "' " + arguments;
}

/// A sweep file in a folder, and the rows of an undisturbed run.
struct Swept {
  explicit Swept(const std::string& yaml) {
    std::ofstream(folder.file("sweep.yaml")) << yaml;
    REQUIRE(run_command(command("whole.csv", "--threads 1")).exit_code == 0);
    whole = content(folder.file("whole.csv"));
    REQUIRE(std::count(whole.begin(), whole.end(), '\n') > 10);
  }
  std::string command(const std::string& file, const std::string& options) const {
    return tofn("sweep '" + folder.file("sweep.yaml") + "' " + options + " -o '" +
                folder.file(file) + "'");
  }

  TemporaryFolder folder;
  std::string whole;
};

}  // namespace

TEST_CASE("tofn sweep makes the same bytes on threads and on ranks") {
  for (const std::string& yaml : {head, head + selection, head + best}) {
    const Swept swept(yaml);
    REQUIRE(run_command(swept.command("two.csv", "--threads 2")).exit_code == 0);
    CHECK(content(swept.folder.file("two.csv")) == swept.whole);
    for (const int ranks : {1, 2, 4}) {
      if (cannot_start(ranks)) break;
      REQUIRE(run_command(mpirun(ranks) + swept.command("ranks.csv", "")).exit_code == 0);
      CHECK(content(swept.folder.file("ranks.csv")) == swept.whole);
    }
  }
}

TEST_CASE("tofn sweep killed at ten random moments and resumed makes the same bytes") {
  std::mt19937 random(1);
  for (const std::string& yaml : {head, head + selection, head + best}) {
    const Swept swept(yaml);
    const std::string job = swept.command("x.csv", "--threads 2 --resume");
    const std::string file = swept.folder.file("x.csv");
    for (int i = 0; i < 10; ++i) {
      Running run(swept.folder, job);
      std::this_thread::sleep_for(std::chrono::milliseconds(random() % 400));
      ::kill(run.process(), SIGKILL);
      run.finish();
    }
    REQUIRE(run_command(job).exit_code == 0);
    CHECK(content(file) == swept.whole);
    CHECK_FALSE(std::filesystem::exists(file + ".part"));
    CHECK_FALSE(std::filesystem::exists(file + ".chosen"));
  }
}
