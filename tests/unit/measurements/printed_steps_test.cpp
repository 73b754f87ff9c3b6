#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/measurements/step_log.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Ten iterations each until that one.
std::string lines_of_job(int first, int last, double milliseconds) {
  std::string text;
  for (int i = first; i <= last; i += 10)
    text += fmt::format(
        " iteration {}/ 5000 | elapsed time per iteration (ms): {} | global batch size: 128 |\n", i,
        milliseconds);
  return text;
}

std::string dump_of_job(int accelerators, int batch = 128) {
  return fmt::format(
      "  world_size ................ {}\n  global_batch_size ......... {}\n"
      "  tensor_model_parallel_size  8\n",
      accelerators, batch);
}

}  // namespace

TEST_CASE("a job that goes on where it stopped, on other accelerators, is a run of its own") {
  const StepHints hints{.context_parallel_size = 1, .gradient_accumulation = 1};
  const StepReading reading =
      read_step_log(dump_of_job(64) + lines_of_job(10, 30, 13000) + dump_of_job(128) +
                        lines_of_job(40, 40, 36000) + lines_of_job(50, 90, 6600),
                    "run.log", hints);
  REQUIRE(reading.steps.size() == 2);
  CHECK(reading.steps[0].accelerators == 64);
  CHECK_THAT(reading.steps[0].step.base(), WithinRel(13.0, 1e-9));
  CHECK(reading.steps[1].accelerators == 128);
  CHECK_THAT(reading.steps[1].step.base(), WithinRel(6.6, 1e-9));
  CHECK(reading.steps[1].steps == 50);
  CHECK(reading.remarks.front() == "run.log:10: the job began anew with other arguments");
}

TEST_CASE("a job that goes on with the same arguments is one run") {
  const StepHints hints{.context_parallel_size = 1, .gradient_accumulation = 1};
  const StepReading reading = read_step_log(
      dump_of_job(64) + lines_of_job(10, 30, 13000) + dump_of_job(64) + lines_of_job(40, 90, 13000),
      "run.log", hints);
  CHECK(reading.steps.size() == 1);
  // The dump names the batch that a ramp ends with, the lines the one they ran at.
  const std::string ramped = dump_of_job(64, 1024);
  CHECK(read_step_log(
            dump_of_job(64) + lines_of_job(10, 30, 13000) + ramped + lines_of_job(40, 90, 13000),
            "run.log", hints)
            .steps.size() == 1);
}

TEST_CASE("of a job the first iteration alone is cold") {
  std::string text = dump_of_job(64);
  for (const char* line : {"1/ 9 | elapsed time per iteration (ms): 9000",
                           "2/ 9 | elapsed time per iteration (ms): 2000",
                           "3/ 9 | elapsed time per iteration (ms): 2500"})
    text += std::string(" iteration ") + line + " | global batch size: 128 |\n";
  CHECK(survey_step_log(text, "run.log").runs.back().seconds == std::vector{2.0, 2.5});
}

TEST_CASE("a last line without an end may be cut, and is left out") {
  const std::string lines =
      "completed step: 1, seconds: 15.516, TFLOP/s/device: 100.0\n"
      "completed step: 2, seconds: 15.516, TFLOP/s/device: 100.0\n"
      "completed step: 3, seconds: 15.516, TFLOP/s/device: 100.0\n";
  CHECK(survey_step_log(lines, "a.log").runs.front().iteration == 3);
  const StepLogSurvey cut = survey_step_log(lines + "completed step: 4, seconds: 1", "a.log");
  CHECK(cut.runs.front().iteration == 3);
  CHECK(cut.remarks.front() ==
        "a.log:4: left out: the last line has no end, and a figure of it may be cut");
  // One line alone is all that there is.
  CHECK(survey_step_log("completed step: 1, seconds: 15.516", "a.log").runs.front().iteration == 1);
}

TEST_CASE("a job's first line stands for the steps until it") {
  const StepHints hints{.context_parallel_size = 1, .gradient_accumulation = 1};
  const auto steps = [&](int first, int last) {
    return read_step_log(dump_of_job(64) + lines_of_job(first, last, 13000), "run.log", hints)
        .steps.front()
        .steps;
  };
  CHECK(steps(10, 30) == 30);
  CHECK(steps(4, 24) == 24);  // it went on at the third
}
