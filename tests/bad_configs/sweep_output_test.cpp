#include <fstream>
#include <sstream>
#include <string>

#include "tests/bad_configs/program.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_file.hpp"

// Tests of the format in which a sweep writes its rows to a file.
using namespace tofn::test;

namespace {

const std::string text_of_sweep =
    "name: a\ntitle: a test\nbase: {model: llama3-8b, cluster: dgx-h100, replica_batch: 1}\n"
    "axes:\n  - tp: [1, 2]\ncolumns: [step_s]\n";

/// Text that a sweep wrote to a file with this name. Checks that the program succeeded.
std::string written_by_sweep(const std::string& name, const std::string& options = "") {
  const TemporaryFile sweep("sweep.yaml", text_of_sweep);
  const TemporaryFile rows(name, "");
  const Outcome outcome = run_program("sweep '" + sweep.path().string() + "' -o '" +
                                      rows.path().string() + "' " + options);
  INFO(outcome.errors);
  CHECK(outcome.exit_code == 0);
  std::ostringstream text;
  text << std::ifstream(rows.path()).rdbuf();
  return text.str();
}

std::string mistake_of_sweep(const std::string& options) {
  const TemporaryFile sweep("sweep.yaml", text_of_sweep);
  const Outcome outcome = run_program("sweep '" + sweep.path().string() + "' " + options);
  CHECK(outcome.exit_code == 2);
  return outcome.errors;
}

}  // namespace

TEST_CASE("a sweep writes JSON as other commands do, whole and to be repeated") {
  CHECK_THAT(written_by_sweep("points.json"), ContainsText("\"step_s\""));
  const TemporaryFile sweep("sweep.yaml", text_of_sweep);
  const TemporaryFile rows("points.json", "");
  const std::string request = "sweep '" + sweep.path().string() + "' --format json";
  CHECK(run_program(request + " -o '" + rows.path().string() + "'").exit_code == 0);
  const Outcome again = run_program("repeat '" + rows.path().string() + "'");
  CHECK(again.exit_code == 0);
  CHECK_THAT(again.output, ContainsText("10 of 10 as they were"));
}

TEST_CASE("a file whose suffix is of no format is as --format says") {
  CHECK(written_by_sweep("points.txt", "--format csv") == written_by_sweep("points.csv"));
  CHECK_THAT(written_by_sweep("points.txt", "--format json"), ContainsText("\"command\""));
  CHECK_THAT(written_by_sweep("points.txt", "--format table"), ContainsText("a test\n"));
}

TEST_CASE("a sweep refuses a file of no format, or of two") {
  CHECK_THAT(mistake_of_sweep("-o points.txt"),
             ContainsText("--output: '.txt' is no format of rows: .csv, .jsonl or .sqlite"));
  CHECK_THAT(mistake_of_sweep("-o points.json --format csv"),
             ContainsText("--format: says csv, but the suffix of points.json says json"));
  CHECK_THAT(mistake_of_sweep("-o points.csv --format json"),
             ContainsText("--format: says json, but the suffix of points.csv says csv"));
  CHECK_THAT(mistake_of_sweep("-o points.json --resume"),
             ContainsText("--resume: needs a file of rows, which points.json is not: .csv, .jsonl "
                          "or .sqlite"));
}
