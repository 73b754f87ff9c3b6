#include <string>

#include <fmt/format.h>

#include "sim/formats/step_logs/step_log.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// A bar of steps of 4 s, printed after each.
std::string bar_of_training(int steps, int total) {
  std::string text;
  for (int i = 1; i <= steps; ++i)
    text += fmt::format("  1%|#   | {}/{} [{:02}:{:02}<20:00,  4.00s/it]\n", i, total, 4 * i / 60,
                        4 * i % 60);
  return text;
}

StepReading read_bars(const std::string& text) {
  return read_step_log(text, "run.log",
                       {.accelerators = 8,
                        .global_batch = 64,
                        .tensor_parallel_size = 1,
                        .context_parallel_size = 1,
                        .gradient_accumulation = 1});
}

}  // namespace

TEST_CASE("a bar of downloads that takes longer than the steps so far is not the training's") {
  const StepReading reading =
      read_bars("Downloading shards: 100%|##########| 4/4 [10:12<00:00, 153.05s/it]\n" +
                bar_of_training(30, 1218));
  REQUIRE(reading.steps.size() == 1);
  CHECK_THAT(reading.steps.front().step.base(), WithinRel(4.0, 1e-9));
  CHECK(reading.remarks.front() ==
        "run.log:1: a bar of 4 left out: that of the training counts, of 1218");
}

TEST_CASE("a bar of the length that the log states is the training's") {
  const std::string tokenized = "100%|##########| 26001/26001 [18:12<00:00, 23.80it/s]\n";
  CHECK_THAT(read_bars(tokenized + "  Total optimization steps = 200\n" + bar_of_training(30, 200))
                 .steps.front()
                 .step.base(),
             WithinRel(4.0, 1e-9));
}

TEST_CASE("a bar without a step counts nothing, however long it takes") {
  CHECK_THAT(read_bars("Map: 100%|##########| 52002/52002 [18:12<00:00, 47.6 examples/s]\n" +
                       bar_of_training(30, 200))
                 .steps.front()
                 .step.base(),
             WithinRel(4.0, 1e-9));
}

TEST_CASE("a bar of many quick items is not the training's, which will take longer") {
  CHECK_THAT(read_bars("Tokenizing: 100%|#####| 52002/52002 [00:20<00:00, 2600.10it/s]\n" +
                       bar_of_training(30, 1218))
                 .steps.front()
                 .step.base(),
             WithinRel(4.0, 1e-9));
}

TEST_CASE("of a bar the first step alone is cold") {
  const StepSurvey survey = survey_step_log(bar_of_training(5, 200), "run.log").runs.back();
  CHECK(survey.seconds.size() == 4);
}

TEST_CASE("llama-recipes' bars are of epochs, of which they say how many there are") {
  std::string text;
  for (int epoch = 1; epoch <= 2; ++epoch)
    for (int i = 1; i <= (epoch == 1 ? 20 : 5); ++i)
      text += fmt::format(
          "Training Epoch: {}/3, step {}/20 completed (loss: 1.2{}): {}%|#   | {}/20 "
          "[00:{:02}<01:20,  2.00s/it]\n",
          epoch, i - 1, i, 5 * i, i, 2 * i);
  const StepSurvey survey = survey_step_log(text, "run.log").runs.back();
  CHECK(survey.iteration == 25);
  CHECK(survey.iterations == 60);
  CHECK_THAT(survey.step->base(), WithinRel(2.0, 1e-9));
}

TEST_CASE("Lightning's bars are of epochs from 0, each of which counts its steps anew") {
  const auto bars_of = [](int last_steps) {
    std::string text;
    for (int epoch = 0; epoch <= 2; ++epoch)
      for (int i = 1; i <= (epoch < 2 ? 20 : last_steps); ++i)
        text += fmt::format("Epoch {}: {}%|#   | {}/20 [00:{:02}<01:20,  0.50it/s, v_num=0]\n",
                            epoch, 5 * i, i, 2 * i + (epoch == 0 ? 10 : 0));
    return survey_step_log(text, "run.log").runs.back();
  };
  const StepSurvey survey = bars_of(5);
  CHECK(survey.iteration == 45);
  CHECK_FALSE(survey.iterations);
  CHECK(survey.steps == 44);
  CHECK_THAT(survey.step->base(), WithinRel(2.0, 1e-9));
  // The clock begins anew with each bar: 50 + 40 + 2 s, without the first step's 12 s.
  CHECK(bars_of(1).clock_seconds == 80);
  CHECK(bars_of(1).clock_iterations == 40);
}
