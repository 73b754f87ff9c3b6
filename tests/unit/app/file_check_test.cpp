#include "sim/app/file_check.hpp"

#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

namespace fs = std::filesystem;
const fs::path configs = TOFN_SOURCE_DIR "/configs";

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
}

TEST_CASE("rows of a table that describe no run are listed with their reason") {
  const TemporaryFile table("rows.csv",
                            "benchmark,org,system,accelerator,accelerators,global_batch_size\n"
                            "bert,Me,one,NVIDIA H100-SXM5-80GB,8,768\n"
                            "gpt3,Me,two,NVIDIA H100-SXM5-80GB,8,768\n");
  const FileReport report = FileChecker(configs).check(table.path());
  CHECK(report.summary == ", 2 rows of which 1 resolve");
  REQUIRE(report.notes.size() == 1);
  CHECK(report.notes[0] == "line 3: gpt3 Me/two: no workload file describes 'gpt3'");
}

TEST_CASE("files of no kind are refused") {
  const TemporaryFile odd("odd.yaml", "a: 1\n");
  CHECK(refusal_of(odd.path()) ==
        odd.path().string() +
            ":1:1: is no kind of file that tofn knows: an accelerator has 'peak', a cluster "
            "'node', a workload 'layers', a plan 'tensor_parallel'");
  const TemporaryFile text("note.txt", "hello\n");
  CHECK(refusal_of(text.path()) == text.path().string() + ": is neither a .yaml nor a .csv file");
  CHECK(refusal_of("nowhere.yaml") == "nowhere.yaml: cannot be read: No such file or directory");
}
