// Tests which sizes follow from figures of few digits.
#include <string>

#include <fmt/format.h>

#include "sim/formats/step_logs/step_log.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

std::string nanotron_line(int iteration, const std::string& rate, const std::string& rate_each,
                          const std::string& batch) {
  return fmt::format(
      "iteration: {} / 5000 | elapsed_time_per_iteration_ms: 8.1K | tokens_per_sec: {} | "
      "tokens_per_sec_per_gpu: {} | global_batch_size: {} | lm_loss: 10.1\n",
      iteration, rate, rate_each, batch);
}

const StepHints one_rank{
    .tensor_parallel_size = 1, .context_parallel_size = 1, .gradient_accumulation = 1};

}  // namespace

TEST_CASE("nanotron's batch of three digits is asked for, and what is stated must be one of it") {
  const std::string text = nanotron_line(7, "518K", "8.09K", "1.02K");
  StepHints hints = one_rank;
  CHECK(refusal([&] { read_step_log(text, "run.log", hints); }) ==
        "run.log:1: the log does not say the global batch (its lines allow 1015 to 1025): state "
        "--batch");
  CHECK(!survey_step_log(text, "run.log").runs.front().global_batch);
  hints.global_batch = 1024;
  const MeasuredStep step = read_step_log(text, "run.log", hints).steps.front();
  CHECK(step.global_batch == 1024);
  CHECK(step.sequence_length == 4096);
  hints.global_batch = 512;
  CHECK(refusal([&] { read_step_log(text, "run.log", hints); }) ==
        "run.log:1: --batch: says 512, but the log says 1015 to 1025");
}

TEST_CASE("batches that grow are runs of their own though their lines round them") {
  const std::string text =
      nanotron_line(7, "518K", "8.09K", "1.02K") + nanotron_line(8, "518K", "8.09K", "2.05K");
  CHECK(survey_step_log(text, "run.log").runs.size() == 2);
}

TEST_CASE("accelerators follow from rates only where their digits allow one number") {
  const auto accelerators = [](const std::string& text) {
    return survey_step_log(text, "run.log").runs.front().accelerators;
  };
  // The rates allow 517.5 / 8.095 to 518.5 / 8.085 accelerators.
  CHECK(accelerators(nanotron_line(7, "518K", "8.09K", "64")) == 64);
  StepHints hints = one_rank;
  hints.accelerators = 32;
  CHECK(refusal([&] {
          read_step_log(nanotron_line(7, "518K", "8.09K", "64"), "run.log", hints);
        }) == "run.log:1: accelerators: are 32, but tokens/s of all and of one make 64");
  // 204 accelerators: the rates allow 205.5 / 1.015 = 202.5 to 206.5 / 1.005 = 205.5.
  const std::string of_204 = nanotron_line(7, "206K", "1.01K", "408");
  CHECK(!accelerators(of_204));
  CHECK(refusal([&] { read_step_log(of_204, "run.log", one_rank); }) ==
        "run.log:1: the log does not say how many accelerators ran (its lines allow 203 to 205): "
        "state --accelerators");
  // The next line allows 203.5 / 0.9995 = 203.6 to 204.5 / 0.9985 = 204.8.
  CHECK(accelerators(of_204 + nanotron_line(8, "204K", "999", "408")) == 204);
}

TEST_CASE("a batch follows from samples a second only where their digits allow one number") {
  const auto line = [](int step, const char* seconds, const char* rate) {
    return fmt::format("steps: {} loss: 2.1 iter time (s): {} samples/sec: {}\n", step, seconds,
                       rate);
  };
  StepHints hints = one_rank;
  hints.accelerators = 64;
  // 1024 samples take 86.6 ms, printed as 87 ms: 0.0865 to 0.0875 s.
  const std::string fast = line(10, "0.087", "11824.480");
  CHECK(refusal([&] { read_step_log(fast, "run.log", hints); }) ==
        "run.log:1: the log does not say the global batch (its lines allow 1023 to 1034): state "
        "--batch");
  // 1024 samples take 12.345 s.
  CHECK(read_step_log(line(10, "12.345", "82.949"), "run.log", hints).steps.front().global_batch ==
        1024);
}

TEST_CASE("samples so far of one line tell a batch where its step is counted in one way") {
  const auto batch = [](int step, int samples) {
    return survey_step_log(fmt::format("global_step: {} | consumed_samples: {} | "
                                       "train_step_timing in s: 8.2\n",
                                       step, samples),
                           "run.log")
        .runs.front()
        .global_batch;
  };
  CHECK(batch(15, 16384) == 1024);         // 16 x 1024
  CHECK(batch(31, 3968) == std::nullopt);  // 31 x 128, or 32 x 124
  CHECK(batch(31, 1984 + 31) == 65);       // 31 x 65
}

TEST_CASE("lines that repeat the samples so far tell no batch, later ones do") {
  const auto line = [](int step, int samples) {
    return fmt::format("global_step: {} | consumed_samples: {} | train_step_timing in s: 8.2\n",
                       step, samples);
  };
  const auto log = survey_step_log(line(10, 1003) + line(11, 1003) + line(12, 1067), "run.log");
  CHECK(log.runs.front().global_batch == 64);
}

TEST_CASE("accelerators follow from the tokens so far, steps/s and the rate of one") {
  // 1024 samples of 4096 tokens on 128 accelerators in 7.1 s.
  std::string text;
  for (int i = 1; i <= 5; ++i)
    text += fmt::format(
        "[step={}/1000,epoch=1]\n    throughput/device/BPS=0.1408\n"
        "    throughput/device/TPS=4,615\n    throughput/total tokens={}\n",
        i, i * 1024 * 4096);
  CHECK(survey_step_log(text, "run.log").runs.front().accelerators == 128);
  StepHints hints = one_rank;
  hints.accelerators = 64;
  hints.global_batch = 1024;
  CHECK(refusal([&] { read_step_log(text, "run.log", hints); }) ==
        "run.log:17: step: the lines say 7.102 s a step, tokens/s, a batch of 1024, samples of "
        "4096 tokens and 64 accelerators make 14.2 s: one of them is wrong, so that neither is "
        "taken");
}

TEST_CASE("tokens of a sample follow from the rate of one accelerator, or must agree with it") {
  const auto line = [](double rate) {
    return fmt::format(
        "iteration 5/ 10 | elapsed time per iteration (ms): 4000.0 | global batch size: 64 | "
        "tokens per GPU (tokens/s/GPU): {:.1f} |\n",
        rate);
  };
  StepHints hints = one_rank;
  hints.accelerators = 16;
  hints.model_length = 8192;
  CHECK(read_step_log(line(4096), "run.log", hints).steps.front().sequence_length == 4096);
  // Samples of 3000 tokens are padded, or of a length that is no power of two.
  CHECK(
      refusal([&] { read_step_log(line(3000), "run.log", hints); }) ==
      "run.log:1: step: the lines say 4 s a step, tokens/s, a batch of 64, samples of 8192 tokens "
      "(assumed: --sequence-length) and 16 accelerators make 10.92 s: one of them is wrong, so "
      "that neither is taken");
  hints.model_length = 3072;
  CHECK(!read_step_log(line(3000), "run.log", hints).steps.front().sequence_length);
}
