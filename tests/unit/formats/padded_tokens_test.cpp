#include <string>

#include <fmt/format.h>

#include "sim/formats/step_logs/step_log.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Steps of MaxText on 512 accelerators with 4 x 8192 tokens each in 8 s, of which `tokens` are not
/// padding.
std::string steps_with_padding(std::initializer_list<long> tokens) {
  std::string text;
  int step = 1;
  for (const long each : tokens)
    text += fmt::format(
        "completed step: {}, seconds: 8.000, TFLOP/s/device: 410.100, Tokens/s/device: 4096.000, "
        "total_weights: {}, loss: 9.8\n",
        step++, each);
  return text;
}

const std::string padded_steps = steps_with_padding({16519472, 16557328, 16494580});

}  // namespace

TEST_CASE("MaxText says its accelerators and its batch") {
  const auto reading = read_step_log(
      "Num_devices: 512, shape (1, 1, 512, 1, 1)\nConfig param global_batch_size_to_train_on: "
      "2048\nConfig param max_target_length: 8192\n" +
          padded_steps,
      "run.log", {.tensor_parallel_size = 1, .context_parallel_size = 1});
  REQUIRE(reading.steps.size() == 1);
  CHECK(reading.steps.front().accelerators == 512);
  CHECK(reading.steps.front().global_batch == 2048);
  CHECK(reading.steps.front().sequence_length == 8192);
}

TEST_CASE("tokens without padding count accelerators, others none") {
  // 16519472 / 8 / 4096 = 504.1
  CHECK(!survey_step_log(padded_steps, "run.log").runs.front().accelerators);
  const long all = 512L * 4 * 8192;
  CHECK(survey_step_log(steps_with_padding({all, all}), "run.log").runs.front().accelerators ==
        512);
  // Half of the tokens do not contradict the time.
  const auto half =
      survey_step_log("Num_devices: 512\n" + steps_with_padding({8388001, 8388609}), "run.log");
  CHECK_THAT(half.runs.front().step->base(), WithinRel(8.0, 1e-9));
}
