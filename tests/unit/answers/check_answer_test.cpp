#include "sim/answers/check_answer.hpp"

#include "sim/answers/check_log.hpp"
#include "sim/core/error.hpp"
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
  CHECK(checker.check(configs / "measured/training-runs.csv").kind == "table of training runs");
  CHECK(checker.check(configs / "measured/mlperf-power.csv").kind == "table of metered runs");
  const fs::path logs = configs / "../tests/measurements";
  CHECK(checker.check(logs / "bert-one-node-steps.csv").kind == "log of steps");
  CHECK(checker.check(logs / "table.csv").kind == "log of collectives");
}

TEST_CASE("tables of measurements: columns of other names are refused") {
  const auto of = [](const std::string& text) {
    const TemporaryFile table("t.csv", text);
    const std::string whole = refusal_of(table.path());
    return whole.substr(table.path().string().size(),
                        whole.find("valid") - table.path().string().size());
  };
  CHECK(of("collective,ranks,nodes,size_bytes,time_us,in-place\nall-reduce,8,1,1024,5,true\n") ==
        ":1:43: unknown column 'in-place', did you mean 'in_place'? ");
  CHECK(of("accelerator,hidden,layers,heads,gpus,global_batch,seqpar\nH100,64,2,2,8,8,1\n") ==
        ":1:51: unknown column 'seqpar'; ");
  CHECK(of("run,parameters_total,gpu_hours,tensorp\na,7e9,1e5,2\n") ==
        ":1:32: unknown column 'tensorp'; ");
  CHECK(of("node_energy_MJ,metre\n1,2\n") ==
        ":1:16: unknown column 'metre', did you mean 'meter'? ");
}

TEST_CASE("tables of runs: cells are checked, and rows without a score are told") {
  const std::string head = "score,run,model_family,parameters_total,tokens,gpu_hours,accelerator\n";
  const TemporaryFile bad("runs.csv", head + "time,a,a,7e9,2e12,many,H100\n");
  CHECK(
      refusal_of(bad.path()).ends_with(":2:19: gpu_hours: expected a number above 0, got 'many'"));
  const TemporaryFile table("runs.csv", head +
                                            "time,a,a,7e9,2e12,,H100\ntime,b,b,7e9,2e12,1,H100\n"
                                            "time,c,c,7e9,2e12,1,Abacus\n");
  const FileContent runs = FileChecker(configs).check(table.path());
  CHECK(runs.summary == ", 3 rows");
  CHECK(runs.notes == std::vector<std::string>{"line 2: a: gpu_hours is not stated",
                                               "line 4: c: unknown accelerator 'Abacus'"});
  const TemporaryFile metered("power.csv",
                              "benchmark,organisation,system,published,use,run_min,node_energy_MJ,"
                              "wall_share\nbert,Me,one,v9,held out,1,2,1\n");
  CHECK(refusal_of(metered.path())
            .ends_with(":2:13: published: no table of configs/published is called 'v9'"));
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
            "fabric 'tier', step profile 'step_rows', quote 'quoted', launcher 'marks', run "
            "'phases', "
            "accelerator 'peak', cluster 'node', "
            "workload 'sample', model 'parts', model 'model_type', plan 'context_parallel', plan "
            "'tensor_parallel', stack 'gemm_efficiency', calibration 'tables', sweep 'axes', price "
            "list 'date'");
  const TemporaryFile unread("tuning.yml", "base_model: x/y\nsequence_len: 2048\n");
  CHECK_THAT(refusal_of(unread.path()),
             ContainsText(":1:13: base_model: files of axolotl are not read: those of "));
  const TemporaryFile text("note.txt", "hello\n");
  CHECK(refusal_of(text.path()) ==
        text.path().string() + ": is no file of tofn, no config.json and no log in a known format");
  const TemporaryFile json("steps.json", "{\"steps\": [{\"step\": 1, \"time\": 2}]}\n");
  CHECK(refusal_of(json.path()) ==
        json.path().string() + ":1: results: is missing: JSON of nccl-tests (-J) is read");
  CHECK(refusal_of("nowhere.yaml") == "nowhere.yaml: cannot be read: No such file or directory");
}

TEST_CASE("a table that its log does not place is told, with the command that places it") {
  const TemporaryFile log("ranks.txt",
                          "# Benchmarking Allreduce\n# #processes = 64\n"
                          "#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n"
                          "1024 1000 9.11 9.61 9.31\n");
  const FileContent content = FileChecker(configs).check(log.path());
  CHECK(content.kind + content.summary == "log of collectives; 1 table of an unknown placement");
  REQUIRE(content.notes.size() == 1);
  CHECK_THAT(content.notes[0],
             ContainsText(": nodes: the log does not say how many: give --nodes to `tofn "
                          "collective --check`"));
}

TEST_CASE("launch files in YAML are told as those of other launchers are") {
  const auto summary_of = [](const char* name, const char* text) {
    const TemporaryFile file(name, text);
    const FileContent content = FileChecker(configs).check(file.path());
    return content.kind + content.summary;
  };
  CHECK_THAT(summary_of("maxtext.yml",
                        "base_config: base.yml\nmodel_name: llama3-8b\nper_device_batch_size: 4\n"
                        "ici_fsdp_parallelism: -1\nremat_policy: full\n"),
             ContainsText("launch file of maxtext, "));
  CHECK_THAT(summary_of("accelerate.yaml",
                        "compute_environment: LOCAL_MACHINE\ndistributed_type: FSDP\n"
                        "fsdp_config:\n  fsdp_sharding_strategy: FULL_SHARD\n"
                        "mixed_precision: bf16\nnum_machines: 8\nnum_processes: 64\n"),
             ContainsText("launch file of accelerate, "));
}

TEST_CASE("a configuration that only lenient readers of JSON take is told with its place") {
  const auto notes_of = [](const char* text) {
    const TemporaryFile file("ds.json", text);
    return FileChecker(configs).check(file.path()).notes;
  };
  CHECK(notes_of("{\"train_batch_size\": 512, \"zero_optimization\": {\"stage\": 2}}\n").empty());
  const auto notes =
      notes_of("{\"train_batch_size\": 512,\n \"zero_optimization\": {\"stage\": 2},}\n");
  REQUIRE(notes.size() == 1);
  CHECK_THAT(notes.front(), ContainsText("ds.json:2:36: is not JSON here: DeepSpeed's own reader"));
}

TEST_CASE("a log of losses alone is told as one, and logs that are no table say who reads them") {
  const TemporaryFile losses("loss.log",
                             "{'loss': 2.1, 'epoch': 0.0}\n{'loss': 2.0, 'epoch': 0.1}\n");
  CHECK_THAT(refusal_of(losses.path()),
             ContainsText(":1:1: has losses of Hugging Face's Trainer and no time of a step"));
  const fs::path logs = configs / "../tests/measurements";
  const auto refused = [](const fs::path& file) {
    return refusal(
        [&] { unless_log(file.string(), []() -> int { throw InputError("is not JSON here"); }); });
  };
  CHECK_THAT(refused(logs / "bert-one-node-steps.csv"), ContainsText(": is a log of steps, which"));
  CHECK(refused(logs / "table.csv") == "is not JSON here");
  CHECK_THAT(refused(losses.path()), ContainsText(": has losses of"));
  CHECK(refused(configs / "clusters/dgx-h100.yaml") == "is not JSON here");
}
