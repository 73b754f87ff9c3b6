#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/formats/step_logs/step_log.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Lines of a job that prints every tenth iteration from `first` to `last`.
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
  // The dump names the batch at the end of a ramp, the lines their current batch.
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
  // A single line is not left out.
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
  CHECK(steps(4, 24) == 24);  // the job resumed after the third
}

TEST_CASE("ranks whose lines come in blocks are one job") {
  // Blocks of three steps for each rank; the clocks of the nodes differ a little.
  const auto block = [](const std::string& label, int first, int milliseconds) {
    std::string text;
    for (int i = first; i < first + 3; ++i)
      text += fmt::format(
          "{}2025-08-01 12:00:{:02},{:03} - root - INFO - step: {}  loss: 9.21  "
          "tps: 3,277\n",
          label, 10 * i, milliseconds, i);
    return text;
  };
  const StepHints sizes{.accelerators = 16, .global_batch = 64, .sequence_length = 8192};
  for (const auto& [one, other] : {std::pair{"0: [rank0]:", "1: [rank8]:"}, std::pair{"", ""}}) {
    INFO(one);
    const StepLogSurvey survey = survey_step_log(
        block(one, 1, 120) + block(other, 1, 160) + block(one, 4, 120) + block(other, 4, 90),
        "run.log", sizes);
    REQUIRE(survey.runs.size() == 1);
    CHECK(survey.runs.front().seconds.size() == 5);
    CHECK(survey.runs.front().iteration == 6);
    CHECK(survey.remarks.front() ==
          "run.log:1: 6 lines repeat a step, of other ranks or of a bar: the first of each counts");
  }
  // A job that begins again a minute later is a new run.
  const std::string later = "2025-08-01 12:03:00,120 - root - INFO - step: 1  tps: 3,277\n";
  CHECK(survey_step_log(block("", 1, 120) + later, "run.log", sizes).remarks.front() ==
        "run.log:4: the job began anew");
}

TEST_CASE("blocks without time stamps are told apart by their prefixes") {
  const auto block = [](const std::string& label, double seconds = 1.5) {
    std::string text;
    for (int i = 1; i <= 4; ++i)
      text += fmt::format("{}completed step: {}, seconds: {:.3f}, TFLOP/s/device: 100.0\n", label,
                          i, seconds);
    return text;
  };
  CHECK(survey_step_log(block("0: ") + block("1: "), "run.log").runs.front().seconds.size() == 3);
  CHECK(survey_step_log(block("0: ") + block("0: "), "run.log").remarks.front() ==
        "run.log:5: the job began anew");
  CHECK(survey_step_log(block("0: ") + block("1: ", 0.75), "run.log").remarks.front() ==
        "run.log:5: the job began anew");
}

TEST_CASE("a line of two whose mean holds the job's first step is warm-up") {
  std::string text = dump_of_job(64) + lines_of_job(10, 10, 9200) + lines_of_job(20, 20, 6100);
  const StepHints hints{.context_parallel_size = 1, .gradient_accumulation = 1};
  const StepReading reading = read_step_log(text, "run.log", hints);
  CHECK_THAT(reading.steps.front().step.base(), WithinRel(6.1, 1e-9));
  CHECK(reading.remarks.front().starts_with(
      "run.log:4: batch 128: the first 1 of 2 times left out as warm-up"));
  // From iteration 510 on, neither of two times is known to be the normal one.
  text = dump_of_job(64) + lines_of_job(510, 510, 9200) + lines_of_job(520, 520, 6100);
  CHECK(read_step_log(text, "run.log", hints).remarks ==
        std::vector<std::string>{"run.log:4: batch 128: 2 times of 6.1 to 9.2 s: warm-up does not "
                                 "show in fewer than 4, none is left out"});
  // The log has the first step only.
  text = dump_of_job(64) + lines_of_job(1, 1, 9200);
  CHECK(read_step_log(text, "run.log", hints).remarks ==
        std::vector<std::string>{"run.log:4: batch 128: 9.2 s of a step hold the warm-up of the "
                                 "job's first one: no other is printed"});
}

TEST_CASE("a few times that lie apart are told, a few that lie together are not") {
  const auto remarks = [](const std::string& last) {
    const std::string lines =
        "completed step: 4, seconds: 2.00, TFLOP/s/device: 100.0\n"
        "completed step: 5, seconds: 2.04, TFLOP/s/device: 100.0\n"
        "completed step: 6, seconds: " +
        last + ", TFLOP/s/device: 100.0\n";
    return survey_step_log(lines, "a.log").remarks;
  };
  CHECK(remarks("2.08").empty());
  REQUIRE(remarks("2.30").size() == 1);
  CHECK(remarks("2.30").front() ==
        "a.log:1: 3 times of 2 to 2.3 s: warm-up does not show in fewer than 4, none is left out");
}

TEST_CASE("a repeated step of another length is of another job or of a restart") {
  std::string text;
  const auto line = [&](int iteration, double milliseconds) {
    text += fmt::format(
        " iteration {}/ 100 | elapsed time per iteration (ms): {:.1f} | global batch size: 64 |\n",
        iteration, milliseconds);
  };
  // The second job takes twice as long; a rank of the first prints 19 % more, which is alike. Ranks
  // differ in the first step.
  for (int i = 1; i <= 4; ++i) {
    line(i, i == 1 ? 9000 : 1000);
    line(i, i == 4 ? 1190 : 2000);
  }
  const StepLogSurvey survey =
      survey_step_log(text, "run.log", {.accelerators = 8, .sequence_length = 8192});
  REQUIRE(survey.remarks.size() >= 2);
  CHECK(survey.remarks[0] ==
        "run.log:1: 2 lines repeat a step, of other ranks or of a bar: the first of each counts");
  CHECK(
      survey.remarks[1] ==
      "run.log:1: WARNING: 2 lines repeat a step with a time that differs by more than 20 %: they "
      "belong to another job or to a restart, and the first of each counts");
  text.clear();
  for (const double milliseconds : {1000, 1000, 2000}) line(7, milliseconds);
  const auto single =
      survey_step_log(text, "run.log", {.accelerators = 8, .sequence_length = 8192}).remarks;
  REQUIRE(single.size() >= 2);
  CHECK(single[0] ==
        "run.log:1: 1 line repeats a step, of other ranks or of a bar: the first of each counts");
  CHECK(single[1] ==
        "run.log:1: WARNING: 1 line repeats a step with a time that differs by more than 20 %: it "
        "belongs to another job or to a restart, and the first of each counts");
}
