#include <string>

#include "sim/formats/step_logs/step_log.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const std::string start_of_training =
    "***** Running training *****\n"
    "  Total train batch size (w. parallel, distributed & accumulation) = 128\n"
    "  Total optimization steps = 1,218\n";
const std::string end_of_training =
    "{'train_runtime': 915.6, 'train_samples_per_second': 170.4, 'train_steps_per_second': 1.33}\n";

StepReading read_summary(const std::string& text) {
  return read_step_log(text, "run.log",
                       {.accelerators = 8,
                        .tensor_parallel_size = 1,
                        .context_parallel_size = 1,
                        .gradient_accumulation = 1});
}

}  // namespace

TEST_CASE("the stated steps count before those of rounded rates") {
  // 170.4 samples/s x 915.6 s make 1219 batches of 128.
  const auto step = read_summary(start_of_training + end_of_training).steps.front();
  CHECK(step.steps == 1218);
  CHECK_THAT(step.step.base(), WithinRel(915.6 / 1218, 1e-9));
  const StepSurvey survey =
      survey_step_log(start_of_training + end_of_training, "run.log").runs.front();
  CHECK(survey.iteration == 1218);
  CHECK(survey.iterations == 1218);
}

TEST_CASE("the rates of a job that went on count its steps before") {
  const std::string resumed = "  Continuing training from global_step 1000\n";
  const StepReading reading = read_summary(start_of_training + resumed + end_of_training);
  REQUIRE(reading.steps.size() == 1);
  CHECK(reading.steps.front().steps == 218);
  CHECK_THAT(reading.steps.front().step.base(), WithinRel(4.2, 1e-9));
  CHECK(reading.remarks.front() ==
        "run.log:5: the mean of a whole run of 218 steps from 1000 on, start and warm-up included: "
        "it is an upper bound of a step");
  // The line of an earlier job in the same file does not count.
  CHECK(read_summary(start_of_training + resumed + start_of_training + end_of_training)
            .steps.front()
            .steps == 1218);
  CHECK(refusal([&] {
          read_summary(start_of_training + "  Continuing training from global_step 1218\n" +
                       end_of_training);
        }) ==
        "run.log:5: train_steps_per_second: makes 1218 steps, but the job went on from step 1218");
}

TEST_CASE("a batch that contradicts the rates of the summary is named") {
  // 42.667 samples/s over 0.333 steps/s are 128.1 samples a step.
  const std::string summary =
      "{'train_runtime': 1800.0, 'train_samples_per_second': 42.667, 'train_steps_per_second': "
      "0.333}\n";
  CHECK(
      refusal(
          [&] { read_step_log(summary, "run.log", {.accelerators = 8, .global_batch = 512}); }) ==
      "run.log:1: batch: is 512, but 42.667 samples/s over 0.333 steps/s make 128 samples a step: "
      "one of them is wrong, so that neither is taken");
  // 76,801 samples in batches of 128 are 601 steps.
  const StepReading reading = read_step_log(summary, "run.log",
                                            {.accelerators = 8,
                                             .global_batch = 128,
                                             .tensor_parallel_size = 1,
                                             .context_parallel_size = 1,
                                             .gradient_accumulation = 1});
  CHECK(reading.steps.front().steps == 601);
}
