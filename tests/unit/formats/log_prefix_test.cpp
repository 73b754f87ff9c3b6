#include "sim/formats/text/log_prefix.hpp"

#include <regex>

#include "sim/formats/collective_logs/collective_log.hpp"
#include "sim/formats/step_logs/step_log.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const std::string plain_run =
    "# Collective test starting: all_reduce_perf\n"
    "#  Rank  0 Group  0 Pid 10 on gpu00 device  0 [0000:00:00] NVIDIA H100 80GB HBM3\n"
    "#  Rank  1 Group  0 Pid 11 on gpu00 device  1 [0000:01:00] NVIDIA H100 80GB HBM3\n"
    "#       size         count      type   redop    root     time   algbw   busbw #wrong\n"
    "       65536         16384     float     sum      -1    20.03    3.27    3.27      0\n"
    "      131072         32768     float     sum      -1    21.03    6.23    6.23      0\n";

std::string with_prefix(const std::string& prefix) {
  return std::regex_replace(prefix + plain_run, std::regex("\n(?=.)"), "\n" + prefix);
}

}  // namespace

TEST_CASE("a table of nccl-tests is read behind what launchers put before each line") {
  for (const std::string prefix :
       {"0: ", "[1,0]<stdout>:", "gpu00: ", "gpu-00.cluster: ", "nccl-test-0  | ",
        "(pid=1234, ip=10.0.0.1) ", "(Worker pid=1) ", "2025-08-01T12:00:00.123456789Z ",
        "2025-08-01T12:00:00+02:00 ", "[2025-08-01 12:00:00] ",
        "2025-08-01T12:00:00Z [1,0]<stdout>:"}) {
    INFO(prefix);
    const LogReading reading = read_collective_log(with_prefix(prefix), "run.log");
    REQUIRE(reading.tables.size() == 1);
    CHECK(reading.tables.front().ranks == 2);
    CHECK(reading.tables.front().rows.size() == 2);
  }
}

TEST_CASE("words that look like a host, a container or a time are a program's own elsewhere") {
  const LinePrefixes none("iteration: 7 / 9 | seconds: 2\n2025-08-01 12:00:00 step: 3\n");
  CHECK(none.length("iteration: 8 / 9") == 0);
  CHECK(none.length("a | b") == 0);
  CHECK(none.length("2025-08-01 12:00:00 step: 3") == 0);
  const LinePrefixes hosts("gpu00: # nThread 1\n");
  CHECK(hosts.length("gpu00: 8 2 float") == 7);
  CHECK(hosts.length("iteration: 8 / 9") == 0);
}

TEST_CASE("a host is a prefix in a log that has it before an argument of a dump") {
  const LinePrefixes hosts("node01:   seq_length ........... 8192\nother: a word .... 3\n");
  CHECK(hosts.length("node01: iteration 3") == 8);
  CHECK(hosts.length("other: iteration 3") == 0);
}

TEST_CASE("the label of a rank is a prefix, and that of a step is none") {
  const LinePrefixes none("");
  CHECK(none.length("[rank0]: iteration 3") == 8);
  CHECK(none.length("[default12]:iteration 3") == 12);
  CHECK(none.length("[batch=1/3000]: ") == 0);
  CHECK(none.length("[ERROR]: lost") == 0);
}

TEST_CASE("a time before a line is the clock of its step") {
  const std::string text =
      "2025-08-01T12:00:00Z # torchrun\n"
      "2025-08-01T12:01:00Z completed step: 1, seconds: 60.0\n"
      "2025-08-01T12:02:00Z completed step: 2, seconds: 60.0\n";
  const StepSurvey survey = survey_step_log(text, "run.log").runs.front();
  CHECK(survey.clock_seconds == 60);
}
