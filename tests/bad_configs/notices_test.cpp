#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "sim/core/file.hpp"
#include "tests/bad_configs/program.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

// Tests of the notices on standard error beside an answer, and of those that `--quiet` keeps.
using namespace tofn;
using namespace tofn::test;

namespace {

std::string nic_in_gigabytes() { return cases_folder() + "/nic-in-gigabytes.yaml"; }

auto lines_of(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

/// Number of times that a text contains another.
int times_in(const std::string& text, const std::string& part) {
  int times = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++times;
  return times;
}

}  // namespace

TEST_CASE("what failed is said under --quiet, progress is not") {
  const TemporaryFolder folder;
  // A limit of 4 kB per file acts like a disk that has filled up, because the rows are 16 kB.
  std::ofstream(folder.file("run.sh")) << "ulimit -f 8\nexec \"$@\"\n";
  const std::string limited = "sh '" + folder.file("run.sh") + "' env TOFN_CONFIGS='" +
                              configs_folder() + "' '" TOFN_BINARY "' sweep network-speed -o '" +
                              folder.file("x.csv") + "'";
  const Outcome quiet = run_command(limited + " -q");
  CHECK(quiet.exit_code == 1);
  CHECK(quiet.output.empty());
  CHECK_THAT(quiet.errors, ContainsText("cannot be written: File too large"));
  CHECK(lines_of(quiet.errors) == 1);
  CHECK(times_in(quiet.errors, " % ") == 0);
}

TEST_CASE("a file that is no table is written to the file of -o, or its disk is full") {
  const TemporaryFolder folder;
  const std::string file = folder.file("tuner.csv");
  const std::string emit =
      "collective dgx-h100 -N 16 --collective all-reduce --emit nccl-tuner -o ";
  const Outcome written = run_program(emit + file);
  CHECK(written.exit_code == 0);
  CHECK(written.output.empty());
  std::ifstream in(file);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  CHECK_THAT(text, ContainsText("# collective_type,min_bytes"));
  const Outcome nowhere = run_program(emit + folder.file("none/tuner.csv"));
  CHECK(nowhere.exit_code == 2);
  CHECK(lines_of(nowhere.errors) == 1);
}

TEST_CASE("an answer under --quiet stands alone") {
  const Outcome reported =
      run_program("predict llama3-8b dgx-h100 -N 8 --batch 64 --emit megatron-lm");
  CHECK_THAT(reported.errors, ContainsText("--stack"));
  const Outcome quiet =
      run_program("predict llama3-8b dgx-h100 -N 8 --batch 64 --emit megatron-lm -q");
  CHECK(quiet.errors.empty());
  CHECK(quiet.output == reported.output);
}

TEST_CASE("a machine's file with an unlikely figure is told of by each command that reads it") {
  const std::string place = nic_in_gigabytes() + ":25:18: network.nic_bandwidth: ";
  const TemporaryFolder folder;
  std::ofstream(folder.file("sweep.yaml"))
      << "name: one\ntitle: one\nbase:\n  model: bert-large\n  batch: 64\n"
         "axes:\n  - cluster: [dgx-h100, "
      << nic_in_gigabytes() << "]\ncolumns: [step_s]\n";
  for (const std::string& command :
       {"predict bert-large '" + nic_in_gigabytes() + "' -N 16 --batch 64",
        "step bert-large '" + nic_in_gigabytes() + "' -N 16 --batch 64",
        "scale bert-large '" + nic_in_gigabytes() + "' -N 16 --batch 64",
        "collective --cluster '" + nic_in_gigabytes() + "' --ranks 64 --size 25MiB",
        "sweep '" + folder.file("sweep.yaml") + "'"}) {
    INFO(command);
    CHECK(times_in(run_program(command).errors, place) == 1);
  }
  const std::string checked = "check '" + nic_in_gigabytes() + "'";
  const Outcome check = run_program(checked);
  CHECK(times_in(check.output + check.errors, "network.nic_bandwidth: ") == 1);
}

TEST_CASE("options that change nothing are told of on standard error too") {
  for (const auto& [command, reported] :
       {std::pair{"predict llama3-8b dgx-h100 -N 16 --batch 64 --tp 1 --whole-experts on",
                  "--whole-experts does nothing here: it needs tp > 1\n"},
        std::pair{"step llama3-8b dgx-h100 -N 16 --batch 64 --sharp on",
                  "SHARP does nothing here: no collective is fastest"},
        std::pair{"predict bert dgx-h100 -N 64 --cuda-graphs layer",
                  "--cuda-graphs changes nothing here: steps take as long as with none\n"}}) {
    INFO(command);
    CHECK(times_in(run_program(command).errors, reported) == 1);
  }
  CHECK(run_program("predict bert dgx-h100 -N 64 --cuda-graphs full_iteration").errors.empty());
}

TEST_CASE("an answer of predict or scale that is repeated is as it was") {
  const TemporaryFolder folder;
  for (const char* question : {"predict llama3-8b dgx-h100 -N 16 --tokens 100B",
                               "scale bert dgx-h100 -N 8,16", "predict bert dgx-h100 -N 64"}) {
    INFO(question);
    const std::string file = folder.file("answer.json");
    REQUIRE(run_program(question + (" -o " + file)).exit_code == 0);
    const Outcome again = run_program("repeat " + file);
    CHECK(again.exit_code == 0);
    CHECK_THAT(again.output, ContainsText("as they were"));
  }
}

TEST_CASE("a switch that moves layers between stages is not said to change nothing") {
  const std::string step =
      "step llama3-8b dgx-h100 -N 64 --batch 512 --pp 2 --chunks 16 --tp 1 "
      "--micro-batch 1 --sharded optimizer --balanced-stages on";
  CHECK_THAT(run_program(step).errors, !ContainsText("changes nothing"));
}

TEST_CASE("options of a whole run are told of where a step alone is predicted") {
  CHECK_THAT(
      run_program("predict llama3-8b dgx-h100 -N 64 --price 2 --checkpoint-every 1h").errors,
      ContainsText("--price, --checkpoint-every apply to whole runs alone: say what is trained"));
  CHECK(run_program("predict llama3-8b dgx-h100 -N 64 --price 2 --tokens 1T").errors.empty());
}

TEST_CASE("a cluster's file may name the file of its chip") {
  const TemporaryFolder folder;
  const auto copied = [&](const char* from, const char* to, const std::string& old,
                          const std::string& now) {
    std::string text = read_text_file(configs_folder() + from);
    text.replace(text.find(old), old.size(), now);
    std::ofstream(folder.file(to)) << text;
  };
  copied("/accelerators/h100-sxm.yaml", "chip.yaml", "name: H100 SXM", "name: Mine");
  copied("/clusters/dgx-h100.yaml", "mine.yaml", "accelerator: H100 SXM",
         "accelerator: ./chip.yaml");
  CHECK(run_program("check " + folder.file("mine.yaml")).exit_code == 0);
  const Outcome step = run_program("predict llama3-8b " + folder.file("mine.yaml"));
  CHECK(step.exit_code == 0);
  CHECK_THAT(step.output, ContainsText("x Mine"));
  std::filesystem::remove(folder.file("chip.yaml"));
  CHECK(run_program("check " + folder.file("mine.yaml")).exit_code != 0);
}

TEST_CASE("what a search chose is the same where it is stated") {
  const std::string step = "step llama3-70b dgx-h100 -N 512 --batch 512 --format csv";
  const Outcome chosen = run_program(step);
  REQUIRE_THAT(chosen.output, ContainsText("optimizer sharded, parameters overlapped"));
  CHECK(run_program(step + " --sharded optimizer").output == chosen.output);
}

TEST_CASE("a range without an end is warned of though less than half of the time is lost") {
  const Outcome run =
      run_program("predict llama3-405b dgx-h100 -N 100000 --tokens 15T --batch 3125");
  CHECK_THAT(run.output, ContainsText("at least ") &&
                             ContainsText("% of the time is lost, and the range has no upper end"));
}

TEST_CASE("options without an effect on the text, files and formats of others are told of") {
  CHECK_THAT(run_program("scale bert dgx-h100 -N 8,16 --table laws").errors,
             ContainsText("--table changes nothing here: it chooses the rows"));
  CHECK(run_program("scale bert dgx-h100 -N 8,16 --table laws --format csv").errors.empty());
  const Outcome tuner = run_program("collective mi300x -N 8 --emit nccl-tuner");
  CHECK(tuner.exit_code == 2);
  CHECK_THAT(tuner.errors, ContainsText("--emit: mi300x has accelerators of AMD"));
  const Outcome batch =
      run_program("step llama3-8b dgx-h100 -N 64 --batch 100 --micro-batch 1 --tp 1 --pp 1 --cp 1");
  CHECK(batch.exit_code == 2);
  CHECK_THAT(batch.errors, ContainsText("a batch of 100 gives 64 replicas no whole micro-batches: "
                                        "64 or 128 would"));
}

TEST_CASE("a job that failed is watched with exit code 1, and check knows its launch file") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("train.log"))
      << " iteration 1/ 9 | elapsed time per iteration (ms): 1300.0 | global batch size: 64 |\n"
         " iteration 2/ 9 | elapsed time per iteration (ms): 1300.0 | global batch size: 64 |\n"
         "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n";
  const Outcome watched = run_program("watch " + folder.file("train.log") + " --once");
  CHECK(watched.exit_code == 1);
  CHECK_THAT(watched.output, ContainsText("and FAILED (CUDA out of memory)"));
  std::ofstream(folder.file("ds.json"))
      << R"({"train_batch_size": 512, "zero_optimization": {"stage": 3}})";
  CHECK_THAT(run_program("check " + folder.file("ds.json")).output,
             ContainsText("ok (launch file of deepspeed"));
}
