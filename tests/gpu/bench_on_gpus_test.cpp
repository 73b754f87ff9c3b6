// Runs tofn-bench on all GPUs of the machine: every operation, product, step and the suite.
#include <set>

#include "microbench/cuda/device.hpp"
#include "tests/gpu/gpu.hpp"
#include "tests/mpi/job.hpp"

namespace tofn::bench {
namespace {

using test::ContainsText;
using test::Outcome;
using test::run_ranks;
using test::TemporaryFolder;

const std::string brief = " --max-time 10ms --visit-time 1ms ";

/// Number of GPUs for which mpirun can start ranks; 0 without MPI.
int gpus_of_ranks() {
  if (std::string_view(TOFN_MPIRUN).empty()) {
    WARN("skipped: built without MPI");
    return 0;
  }
  return test::gpus_or_skip();
}

/// Words for mpirun that give each rank its own host name, and that let NCCL use the loopback
/// network between these hosts.
const std::string own_host =
    " -x NCCL_SOCKET_IFNAME=lo unshare --uts sh -c "
    "'echo host$OMPI_COMM_WORLD_RANK >/proc/sys/kernel/hostname && exec \"$@\"' sh";

/// True if ranks may share a GPU, each with its own host name, which only root may set.
bool can_share() {
  static const bool can = test::run_command(
                              "unshare --uts sh -c 'echo host "
                              ">/proc/sys/kernel/hostname'")
                              .exit_code == 0;
  return can;
}

/// Numbers of ranks to test: 1, 2 and 4 up to the number of GPUs. Two ranks share a single GPU if
/// can_share().
std::vector<int> rank_counts() {
  const int gpus = gpus_of_ranks();
  const int most = gpus == 1 && can_share() ? 2 : gpus;
  std::vector<int> counts;
  for (const int ranks : {1, 2, 4})
    if (ranks <= most) counts.push_back(ranks);
  return counts;
}

/// Runs tofn-bench on this number of ranks, which rank_counts() returned.
Outcome run_on_gpus(int ranks, const std::string& arguments) {
  if (ranks <= test::gpus_or_skip()) return run_ranks(ranks, arguments);
  return test::run_command(test::mpirun(ranks) + own_host + test::tofn_bench(arguments));
}

/// Record of a run, after checks that it succeeded without messages and that all points are
/// complete.
Record record_of(const Outcome& outcome, const std::string& file) {
  INFO(outcome.output << outcome.errors);
  REQUIRE(outcome.exit_code == 0);
  CHECK(test::own_lines(outcome.errors).empty());
  Record record = load_record(file);
  CHECK(test::count_complete(record) == static_cast<int>(record.points.size()));
  CHECK(is_of_stand_in(record) == gpu_stand_in().has_value());
  return record;
}

std::string text_of(const RecordPoint& point, const char* name) {
  return std::get<std::string>(*parameter(point, name));
}

std::set<std::string> texts_of(const Record& record, const char* name) {
  std::set<std::string> texts;
  for (const RecordPoint& point : record.points)
    if (parameter(point, name) != nullptr) texts.insert(text_of(point, name));
  return texts;
}

const std::set<std::string> all_operations{
    "all-gather",     "all-reduce",         "all-to-all",       "broadcast",
    "reduce-scatter", "send-receive-pairs", "send-receive-ring"};

TEST_CASE("ranks measure every operation of NCCL, and their results are right", "[bench]") {
  for (const int ranks : rank_counts()) {
    if (ranks == 1) continue;
    const bool shares = ranks > test::gpus_or_skip();  // one GPU in turns of milliseconds
    const std::string sizes = shares ? "10kB --type bf16" : "8B,3MB --type fp32,bf16";
    for (const std::string form : {"", " --cuda-graph --register", " --symmetric"}) {
      if (ranks == 4 && !form.empty()) continue;
      const TemporaryFolder folder;
      const std::string file = folder.file("record.json");
      INFO(ranks << " ranks" << form);
      const Outcome outcome = run_on_gpus(ranks, "collective --backend nccl --op all --sizes " +
                                                     sizes + brief + form + " -o '" + file + "'");
      if (form == " --symmetric" && test::is_refused_here(outcome.errors)) continue;
      const Record record = record_of(outcome, file);
      CHECK(texts_of(record, "operation") == all_operations);
      // Four operations run in place and out of place, and three in one way only.
      CHECK(record.points.size() == (shares ? 1 : 2 * 2) * 11);
      for (const RecordPoint& point : record.points) {
        CHECK_FALSE(point.device_samples.empty());
        CHECK((parameter(point, "symmetric") != nullptr) == (form == " --symmetric"));
        CHECK(parameter(point, "device_api") == nullptr);
      }
    }
  }
}

TEST_CASE("ranks measure what they do by kernels over NCCL's device API", "[bench]") {
  for (const int ranks : rank_counts()) {
    if (ranks == 1) continue;
    const TemporaryFolder folder;
    const std::string file = folder.file("record.json");
    const std::string form = ranks == 4 ? " --group node --ranks-per-node 2" : " --cuda-graph";
    INFO(ranks << " ranks" << form);
    const Outcome outcome = run_on_gpus(
        ranks, "collective --backend nccl --device-api --op all --sizes 8B,3MB --type fp32,bf16" +
                   brief + form + " -o '" + file + "'");
    if (test::is_refused_here(outcome.errors)) continue;
    const Record record = record_of(outcome, file);
    CHECK(texts_of(record, "operation") ==
          std::set<std::string>{"all-gather", "all-reduce", "reduce-scatter"});
    CHECK(record.points.size() == 2 * 2 * 6);
    for (const RecordPoint& point : record.points)
      for (const char* name : {"device_api", "symmetric"}) {
        REQUIRE(parameter(point, name) != nullptr);
        CHECK(std::get<bool>(*parameter(point, name)));
      }
    CHECK_THAT(outcome.output, ContainsText("left out: --device-api has no all-to-all, but "));
  }
}

TEST_CASE("groups of two nodes communicate side by side", "[bench]") {
  if (rank_counts().empty() || rank_counts().back() < 4) return;
  const TemporaryFolder folder;
  const std::string file = folder.file("record.json");
  const Record record =
      record_of(run_on_gpus(4,
                            "collective --backend nccl --sizes 1KiB --ranks-per-node 2 --group "
                            "world,node,leaders,rails" +
                                brief + "-o '" + file + "'"),
                file);
  CHECK(texts_of(record, "group") == std::set<std::string>{"world", "node", "leaders", "rails"});
}

TEST_CASE("a thread per GPU measures without mpirun", "[bench]") {
  const int gpus = test::gpus_or_skip();
  for (int threads = 1; threads <= std::min(gpus, 2); ++threads) {
    const TemporaryFolder folder;
    const std::string file = folder.file("record.json");
    const std::string what = threads == 1
                                 ? "compute --processor gpu --kind launch,memory --sizes 64KiB"
                                 : "collective --backend nccl --op all --sizes 10kB";
    const Record record =
        record_of(test::run_command(test::tofn_bench(
                      what + brief + "--gpus " + std::to_string(threads) + " -o '" + file + "'")),
                  file);
    REQUIRE(record.hosts.size() == 1);
    CHECK(record.hosts[0].devices.size() == static_cast<std::size_t>(threads));
  }
}

TEST_CASE("one rank has nobody to communicate with, and more ranks than GPUs are refused",
          "[bench]") {
  const int gpus = gpus_of_ranks();
  if (gpus == 0) return;
  const Outcome alone = run_ranks(1, "collective --backend nccl --sizes 8B" + brief);
  CHECK(alone.exit_code == 2);
  CHECK(test::own_lines(alone.errors) ==
        std::vector<std::string>{
            "tofn-bench: nothing of this can be measured here; the reasons stand above"});
  if (gpus > 8) return;
  const Outcome crowded = run_ranks(gpus + 1, "collective --backend nccl --sizes 8B" + brief);
  CHECK(crowded.exit_code == 2);
  REQUIRE(test::own_lines(crowded.errors).size() == 1);
  CHECK_THAT(crowded.errors, ContainsText(" ranks for " + std::to_string(gpus) + " GPU"));
}

TEST_CASE("products, memory, launches and the slowdown are measured and checked", "[bench]") {
  for (const int ranks : rank_counts()) {
    if (ranks == 4) continue;
    const TemporaryFolder folder;
    const std::string file = folder.file("record.json");
    const std::string kinds = std::string("launch,memory,gemm") + (ranks > 1 ? ",slowdown" : "");
    const Record record = record_of(
        run_on_gpus(ranks,
                    "compute --processor gpu --shapes 64x64x64,32x128x16 --sizes 64KiB,1MiB "
                    "--beside-shape 64x64x64 --beside-size 64KiB --kind " +
                        kinds + brief + "-o '" + file + "'"),
        file);
    std::set<std::string> found;
    for (const RecordPoint& point : record.points) found.insert(point.kind);
    CHECK(found.size() == (ranks > 1 ? 4U : 3U));
    CHECK(texts_of(record, "mode") == std::set<std::string>{"graph", "stream", "synchronised"});
  }
}

TEST_CASE("a training step runs on 1, 2 and 4 ranks, and its gradients are summed", "[bench]") {
  const auto counts = rank_counts();
  if (counts.empty()) return;
  const TemporaryFolder folder;
  const std::string file = folder.file("record.json");
  const Record record = record_of(
      run_on_gpus(counts.back(), "step --processor gpu --workload '" TOFN_SOURCE_DIR
                                 "/tests/mpi/data/four-layers.yaml' --samples 1 --bucket 1MB" +
                                     brief + "-o '" + file + "'"),
      file);
  const std::set<std::string> modes =
      counts.back() == 1 ? std::set<std::string>{"compute"}
                         : std::set<std::string>{"backward", "communicate", "compute", "nothing"};
  CHECK(texts_of(record, "overlap") == modes);
}

/// Writes the project's configs with the suite's workloads replaced by ones whose products a host
/// can compute too.
void write_small_workloads(const TemporaryFolder& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(TOFN_SOURCE_DIR "/configs"))
    if (entry.path().filename() != "workloads")
      std::filesystem::create_symlink(entry.path(), folder.path() / entry.path().filename());
  std::filesystem::create_directory(folder.file("workloads"));
  std::ostringstream layers;
  layers << std::ifstream(TOFN_SOURCE_DIR "/tests/mpi/data/four-layers.yaml").rdbuf();
  for (const std::string name : {"bert", "llama2_70b_lora", "retinanet", "stable_diffusion"}) {
    std::string text = layers.str();
    const std::string title = "name: four_layers";
    text.replace(text.find(title), title.size(), "name: " + name);
    std::ofstream(folder.file("workloads/" + name + ".yaml")) << text;
  }
}

TEST_CASE("a suite is calibrated, and a prediction stands on it", "[bench]") {
  if (rank_counts().size() < 2) return;
  const TemporaryFolder folder;
  write_small_workloads(folder);
  const std::string file = folder.file("suite.json");
  const std::string calibration = folder.file("mine.yaml");
  const Record record = record_of(
      run_on_gpus(2,
                  "suite --processor gpu --budget 2min --max-size 1MiB --beside-shape 128x128x128 "
                  "--configs '" +
                      folder.path().string() + "'" + brief + "-o '" + file + "'"),
      file);
  CHECK(texts_of(record, "operation") == all_operations);
  const std::string tofn = "'" TOFN_BINARY "' ";
  const std::string command =
      "calibrate '" + file + "' -o '" + calibration + "' --cluster dgx-h100";
  std::string allowed;
  if (gpu_stand_in()) {
    const Outcome refused = test::run_command(tofn + command);
    CHECK(refused.exit_code == 2);
    CHECK_THAT(refused.errors,
               ContainsText("tofn: " + file +
                            ": provenance.gpu_stand_in: was measured on a stand-in for a GPU, "
                            "whose figures say nothing of a machine: measure on GPUs\n"));
    CHECK_FALSE(std::filesystem::exists(calibration));
    allowed = "env TOFN_TEST_TAKES_STAND_IN=1 ";
  }
  const Outcome calibrated = test::run_command(allowed + tofn + command);
  INFO(calibrated.output << calibrated.errors);
  REQUIRE(calibrated.exit_code == 0);
  const Outcome predicted = test::run_command(
      tofn + "predict bert dgx-h100 -N 2 --details --calibration '" + calibration + "'");
  INFO(predicted.output << predicted.errors);
  CHECK(predicted.exit_code == 0);
  // Two ranks that share a GPU count as two nodes, so a prediction for one node is extrapolated.
  if (record.hosts.size() == 1) CHECK_THAT(predicted.output, ContainsText("extrapolated"));
}

}  // namespace
}  // namespace tofn::bench
