#include "sim/app/file_check.hpp"

#include <fstream>

#include <unistd.h>

#include "sim/core/error.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

namespace fs = std::filesystem;
const fs::path configs = TOFN_SOURCE_DIR "/configs";

/// A file that lives as long as the test.
class File {
 public:
  File(const std::string& name, const std::string& text)
      : path_(fs::temp_directory_path() /
              ("tofn_check_" + std::to_string(::getpid()) + "_" + name)) {
    std::ofstream(path_) << text;
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    std::error_code error;
    fs::remove(path_, error);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string refusal(const fs::path& file) {
  try {
    FileChecker(configs).check(file);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
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
  const File table("rows.csv",
                   "benchmark,org,system,accelerator,accelerators,global_batch_size\n"
                   "bert,Me,one,NVIDIA H100-SXM5-80GB,8,768\n"
                   "gpt3,Me,two,NVIDIA H100-SXM5-80GB,8,768\n");
  const FileReport report = FileChecker(configs).check(table.path());
  CHECK(report.summary == ", 2 rows of which 1 resolve");
  REQUIRE(report.notes.size() == 1);
  CHECK(report.notes[0] == "line 3: gpt3 Me/two: no workload file describes 'gpt3'");
}

TEST_CASE("files of no kind are refused") {
  const File odd("odd.yaml", "a: 1\n");
  CHECK(refusal(odd.path()) ==
        odd.path().string() +
            ":1:1: is no kind of file that tofn knows: an accelerator has 'peak', a cluster "
            "'node', a workload 'layers', a plan 'tensor_parallel'");
  const File text("note.txt", "hello\n");
  CHECK(refusal(text.path()) == text.path().string() + ": is neither a .yaml nor a .csv file");
  CHECK(refusal("nowhere.yaml") == "nowhere.yaml: cannot be read: No such file or directory");
}
