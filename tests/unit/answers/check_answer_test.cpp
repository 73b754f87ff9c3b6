#include "sim/answers/check_answer.hpp"

#include "sim/core/record.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

namespace fs = std::filesystem;

std::string refusal_of(const fs::path& file) {
  return refusal([&] { FileChecker(configs).check(file); });
}

}  // namespace

TEST_CASE("the kind of a file follows from its keys") {
  FileChecker checker(configs);
  CHECK(checker.check(configs / "accelerators/h100-sxm.yaml").kind == "accelerator");
  CHECK(checker.check(configs / "clusters/dgx-h100.yaml").kind == "cluster");
  CHECK(checker.check(configs / "workloads/llama2_70b_lora.yaml").kind == "workload");
  CHECK(checker.check(configs / "plans/lora-tp4.yaml").kind == "plan");
  CHECK(checker.check(configs / "published/mlperf-training-v4.1.csv").kind == "published table");
  CHECK(checker.check(configs / "stacks/megatron.yaml").kind == "stack");
  CHECK(checker.check(configs / "measured/megatron-a100.csv").summary == ", 8 rows");
  const fs::path logs = configs / "../tests/measurements";
  CHECK(checker.check(logs / "bert-one-node-steps.csv").kind == "log of steps");
  CHECK(checker.check(logs / "table.csv").kind == "log of collectives");
}

TEST_CASE("rows of a table that describe no run are listed with their reason") {
  const TemporaryFile table("rows.csv",
                            "benchmark,org,system,accelerator,accelerators,global_batch_size\n"
                            "bert,Me,one,NVIDIA H100-SXM5-80GB,8,768\n"
                            "dlrm,Me,two,NVIDIA H100-SXM5-80GB,8,768\n");
  const FileContent report = FileChecker(configs).check(table.path());
  CHECK(report.summary == ", 2 rows of which 1 resolve");
  REQUIRE(report.notes.size() == 1);
  CHECK(report.notes[0] == "line 3: dlrm Me/two: no workload file describes 'dlrm'");
}

TEST_CASE("a record is counted, and its flagged points are listed") {
  RecordPoint point;
  point.kind = "launch";
  point.parameters = {{"device", "H100"}, {"mode", "graph"}, {"kernels", 8LL}};
  point.visits = {1};
  point.host_samples = {2e-6};
  point.summary = {.median = 2e-6, .interval = {2e-6, 2e-6}, .repeat = {2e-6, 2e-6}};
  Record record{.provenance = {},
                .environment = {},
                .hosts = {{.name = "n1", .ranks = 8, .devices = {}},
                          {.name = "n2", .ranks = 4, .devices = {}}},
                .points = {point}};
  point.parameters[2].second = 16LL;
  point.flags = {"bimodal: 2 and 3 us", "throttled"};
  record.points.push_back(point);
  const TemporaryFile file("record.json", to_json(record));
  const FileContent report = FileChecker(configs).check(file.path());
  CHECK(report.kind == "record");
  CHECK(report.summary == ", 2 points on 12 ranks of 2 hosts");
  REQUIRE(report.notes.size() == 1);
  CHECK(report.notes[0] == "launch, kernels=16: bimodal: 2 and 3 us; throttled");

  record.points.back().is_complete = false;
  const TemporaryFile cut("cut.json", to_json(record));
  const FileContent unfinished = FileChecker(configs).check(cut.path());
  CHECK(unfinished.summary == ", 2 points on 12 ranks of 2 hosts, 1 unfinished");
  CHECK(unfinished.notes[0] == "launch, kernels=16: bimodal: 2 and 3 us; throttled; unfinished");

  record.hosts = {{.name = "n1", .ranks = 1, .devices = {}}};
  record.points.pop_back();
  const TemporaryFile one("one.json", to_json(record));
  CHECK(FileChecker(configs).check(one.path()).summary == ", 1 point on 1 rank of 1 host");
}

TEST_CASE("files of no kind are refused") {
  const TemporaryFile odd("odd.yaml", "a: 1\n");
  CHECK(refusal_of(odd.path()) ==
        odd.path().string() +
            ":1:1: is no kind of file that tofn knows, each of which has a key of its own: "
            "fabric 'tier', step profile 'step_rows', quote 'quoted', run 'phases', accelerator "
            "'peak', cluster 'node', "
            "workload 'sample', model 'parts', model 'model_type', plan 'context_parallel', plan "
            "'tensor_parallel', stack 'gemm_efficiency', calibration 'tables', sweep 'axes', price "
            "list 'date'");
  const TemporaryFile text("note.txt", "hello\n");
  CHECK(refusal_of(text.path()) ==
        text.path().string() + ": is no .yaml, .csv or .json file, nor a log in a known format");
  CHECK(refusal_of("nowhere.yaml") == "nowhere.yaml: cannot be read: No such file or directory");
}
