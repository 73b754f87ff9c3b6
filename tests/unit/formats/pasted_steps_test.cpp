// Lines that users paste, shortened. The expected values were computed by hand beforehand.
#include <fmt/format.h>

#include "sim/formats/step_logs/step_log.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// A published log, and the values that a reader computes from it by hand.
struct Pasted {
  std::string source;
  std::string text;
  StepHints hints;
  double seconds;
  int accelerators;
  double batch;
  int tensor = 1;
  int pipeline = 1;
  int steps = 1;
};

std::string ssd_log(double throughput, int first, int second, int third) {
  const auto event = [](const std::string& key, const std::string& rest) {
    return "0: :::MLLOG {\"namespace\": \"\", \"key\": \"" + key + "\", " + rest + "}\n";
  };
  std::string text = event("submission_benchmark", "\"value\": \"ssd\"") +
                     event("global_batch_size", "\"value\": 256") +
                     event("local_batch_size", "\"value\": 32") +
                     event("train_samples", "\"value\": 4572");
  int time = 1000;
  int epoch = 0;
  for (const int length : {first, second, third}) {
    const std::string number = fmt::format("\"metadata\": {{\"epoch_num\": {}}}", epoch++);
    text += event("epoch_start", fmt::format("\"time_ms\": {}, {}", time, number));
    time += length;
    text += event("epoch_stop", fmt::format("\"time_ms\": {}, {}", time, number));
    text += event("tracked_stats", fmt::format("\"value\": {{\"throughput\": {}}}, \"time_ms\": {}",
                                               throughput, time));
  }
  return text;
}

const std::vector<Pasted>& pasted() {
  static const std::vector<Pasted> all{
      {.source = "github.com/deepspeedai/DeepSpeed/issues/3742",
       // 7.799 samples/s x 4.1031 s = 32.0
       .text = " samples/sec: 7.799 | iteration       34/   10000 | elapsed time per iteration "
               "(ms): 4103.1 | learning rate: 2.111E-06 | approx flops per GPU: 112.9TFLOPS |\n",
       .hints = {.accelerators = 16},
       .seconds = 4.1031,
       .accelerators = 16,
       .batch = 32},
      {.source = "github.com/karpathy/nanoGPT/issues/110",
       .text = "iter 1631: loss 4.0863, time 561.94ms\niter 1632: loss 3.7441, time 563.15ms\n"
               "iter 1633: loss 3.9848, time 562.11ms\n",
       .hints = {.accelerators = 1, .global_batch = 12},
       .seconds = 0.56211,
       .accelerators = 1,
       .batch = 12,
       .steps = 3},
      {.source = "github.com/huggingface/nanotron/issues/390",
       // 22.8K / 11.4K tokens/s = 2 GPUs
       .text = "10/17/2025 16:31:56 [INFO|DP=0|PP=0|TP=0]: iteration: 327281 / 378950 | "
               "consumed_tokens: 85.8G | elapsed_time_per_iteration_ms: 11.5K | tokens_per_sec: "
               "22.8K | tokens_per_sec_per_gpu: 11.4K | global_batch_size: 64 | lm_loss: 2.38 | "
               "model_tflops_per_gpu: 38.3\n"
               "10/17/2025 16:32:07 [INFO|DP=0|PP=0|TP=0]: iteration: 327282 / 378950 | "
               "consumed_tokens: 85.8G | elapsed_time_per_iteration_ms: 11.5K | tokens_per_sec: "
               "22.8K | tokens_per_sec_per_gpu: 11.4K | global_batch_size: 64 | lm_loss: 2.35\n",
       .hints = {},
       .seconds = 11.5,
       .accelerators = 2,
       .batch = 64,
       .steps = 2},
      {.source = "aws-samples/awsome-distributed-training, 3.test_cases/pytorch/torchtitan",
       // 8192 tokens on each at 6785 tokens/s
       .text =
           "1: 2025-03-04 00:44:44,441 - root - INFO - \x1b[36mstep: 1990  \x1b[32mloss:  3.4370"
           "  \x1b[33mmemory: 68.57GiB(86.69%)  \x1b[34mtps: 6,785  \x1b[35mmfu: 39.73%\x1b[39m\n"
           "0: 2025-03-04 00:44:44,441 - root - INFO - \x1b[36mstep: 1990  \x1b[32mloss:  3.4370"
           "  \x1b[33mmemory: 68.57GiB(86.69%)  \x1b[34mtps: 6,785  \x1b[35mmfu: 39.73%\x1b[39m\n",
       .hints = {.accelerators = 32, .global_batch = 32, .sequence_length = 8192},
       .seconds = 8192 / 6785.0,
       .accelerators = 32,
       .batch = 32},
      {.source = "AI-Hypercomputer/gpu-recipes, training/a3ultra/llama3-1-70b/maxtext",
       // 4194304 tokens in 15.516 s are 1055.949 tokens/s each on 256.0
       .text = "completed step: 12, seconds: 15.516, TFLOP/s/device: 508.371, Tokens/s/device: "
               "1055.949, total_weights: 4194304, loss: 0.000\n",
       .hints = {.sequence_length = 8192},
       .seconds = 15.516,
       .accelerators = 256,
       .batch = 512},
      {.source = "AI-Hypercomputer/gpu-recipes, training/a3ultra/llama3_70b/nemo-gke",
       // 16 steps of 1024
       .text = "DLLL{\n  \"step\": 15,\n  \"data\": {\n    \"global_step\": 15.0,\n"
               "    \"consumed_samples\": 16384.0,\n    \"train_backward_timing in s\": 4.5e-05,\n"
               "    \"train_step_timing in s\": 20.021318435668945,\n    \"epoch\": 0\n}\n",
       .hints = {.accelerators = 256},
       .seconds = 20.021318435668945,
       .accelerators = 256,
       .batch = 1024},
      {.source = "bigscience-workshop/bigscience, experiments/gpt2-meg",
       // the first step is warm-up; the step is the mean of the other two
       .text = "using world size: 64, data-parallel-size: 1, tensor-model-parallel size: 4, "
               "pipeline-model-parallel size: 16 \n  micro_batch_size ........ 4\n"
               " iteration        1/    1000 | consumed samples:         1024 | elapsed time per "
               "iteration (ms): 155483.8 | global batch size:  1024 |\n"
               " iteration        2/    1000 | consumed samples:         2048 | elapsed time per "
               "iteration (ms): 129028.8 | global batch size:  1024 |\n"
               " iteration        3/    1000 | consumed samples:         3072 | elapsed time per "
               "iteration (ms): 128891.5 | global batch size:  1024 |\n",
       .hints = {},
       .seconds = 128.96015,
       .accelerators = 64,
       .batch = 1024,
       .tensor = 4,
       .pipeline = 16,
       .steps = 2},
      {.source = "bigscience-workshop/bigscience, experiments/gpt2-hf-ds",
       // 3.663 x 273.0148 = 1000 samples are two steps of 512
       .text = "world_size ................... 64\n    \"train_batch_size\": 512, \n"
               "{'train_runtime': 273.0148, 'train_samples_per_second': 3.663, "
               "'train_steps_per_second': 0.007, 'epoch': 1.0}\n",
       .hints = {},
       .seconds = 136.5074,
       .accelerators = 64,
       .batch = 512,
       .steps = 2},
      {.source = "mlcommons/training_results_v4.1, NVIDIA eos_ngc24.09_pytorch/ssd",
       // throughput of one of 8 accelerators: 4572 steps in 508.9 s
       .text = ssd_log(287.59, 508888, 508888, 508888),
       .hints = {},
       .seconds = 508.888 / 4572,
       .accelerators = 8,
       .batch = 256,
       .steps = 3 * 4572},
      {.source = "mlcommons/training_results_v5.0, Lenovo SR780aV3-8xB200/retinanet",
       // throughput of the job
       .text = ssd_log(3796.09, 308445, 308445, 308445),
       .hints = {},
       .seconds = 308.445 / 4572,
       .accelerators = 8,
       .batch = 256,
       .steps = 3 * 4572}};
  return all;
}

StepReading read_pasted(const std::string& text, const StepHints& hints = {}) {
  return read_step_log(text, "run.log", hints);
}

std::string megatron(int iteration, double milliseconds, const std::string& stamp = "") {
  return fmt::format(
      "{} iteration {}/ 100 | elapsed time per iteration (ms): {:.1f} | global batch "
      "size: 64 |\n",
      stamp, iteration, milliseconds);
}

const StepHints eight{.accelerators = 8,
                      .tensor_parallel_size = 1,
                      .context_parallel_size = 1,
                      .gradient_accumulation = 1};

}  // namespace

TEST_CASE("pasted logs are read as a person reads them") {
  for (const Pasted& log : pasted()) {
    INFO(log.source);
    const StepReading reading = read_pasted(log.text, log.hints);
    REQUIRE(reading.steps.size() == 1);
    const MeasuredStep& step = reading.steps.front();
    CHECK_THAT(step.step.base(), WithinRel(log.seconds, 1e-6));
    CHECK(step.accelerators == log.accelerators);
    CHECK(step.global_batch == log.batch);
    CHECK(step.tensor_parallel_size == log.tensor);
    CHECK(step.pipeline_parallel_size == log.pipeline);
    CHECK(step.steps == log.steps);
  }
}

TEST_CASE("torchtitan without the tokens of a step has no time, and its stamps give one") {
  const std::string line =
      "2025-03-04 00:44:{}.000 - step: {}  loss: 3.4  tps: 6,785  mfu: 39.73%\n";
  const auto at = [&](int second, int step) {
    return fmt::format(fmt::runtime(line), second, step);
  };
  CHECK(refusal([&] { read_pasted(at(44, 1990), eight); }) ==
        "run.log:1: step: its lines say 6785 tokens/s of one accelerator and no time of a step, "
        "which follows from the samples and tokens of a step: state --batch, --sequence-length");
  // The stated sizes suffice: 64 x 8192 tokens at 32 x 6785 tokens/s.
  CHECK_THAT(
      read_pasted(at(44, 1990), {.accelerators = 32, .global_batch = 64, .sequence_length = 8192.0})
          .steps.front()
          .step.base(),
      WithinRel(64 * 8192.0 / (32 * 6785.0), 1e-9));
  // The clock shows 10 steps every 12 s.
  StepHints hints = eight;
  hints.global_batch = 8;
  const auto reading = read_pasted(at(20, 10) + at(32, 20) + at(44, 30) + at(56, 40), hints);
  CHECK_THAT(reading.steps.front().step.base(), WithinRel(1.2, 1e-9));
  // Stamps of whole seconds measure 12 s to 8 %, and 60 s to 2 %.
  const auto whole = [](int minute, int second, int step) {
    return fmt::format("2025-03-04 00:{:02}:{:02} - step: {}  loss: 3.4  tps: 6,785  mfu: 39.73%\n",
                       minute, second, step);
  };
  CHECK_THAT(refusal([&] { read_pasted(whole(44, 20, 10) + whole(44, 32, 20), hints); }),
             ContainsText("no time of a step"));
  const std::string minutes = whole(44, 20, 10) + whole(45, 20, 20) + whole(46, 20, 30);
  CHECK_THAT(read_pasted(minutes, hints).steps.front().step.base(), WithinRel(6.0, 1e-9));
}

TEST_CASE("torchtitan's own words at its start say accelerators, batch and plan") {
  // 32 samples with 2 a rank are 16 ranks with 2 accelerators each; 32 x 4096 tokens take 32 x
  // 5120 tokens/s.
  const auto step =
      read_pasted(
          "[rank0]: Building device mesh with parallelism: pp=1, dp_replicate=1, dp_shard=16, "
          "cp=1, "
          "tp=2\n[rank0]: Training starts at step 1, with local batch size 2, global batch size "
          "32, "
          "sequence length 4096, total steps 1000 (warmup 200)\n"
          "[rank0]: step: 10  loss: 7.1  memory: 40.6GiB(51.4%)  tps: 5,120  tflops: 299.6  mfu: "
          "30.3%\n")
          .steps.front();
  CHECK(step.accelerators == 32);
  CHECK(step.tensor_parallel_size == 2);
  CHECK_THAT(step.step.base(), WithinRel(0.8, 1e-9));
  CHECK(*step.rate_each == FlopsPerSecond{299.6e12});
}

TEST_CASE("torchtitan's mesh and its accumulation steps say how many accelerators share a batch") {
  // The clock shows steps of 10 s.
  const auto steps = [](int rate) {
    std::string text;
    for (int i = 1; i <= 5; ++i)
      text += fmt::format("[rank0]: 2025-07-01 10:00:{}0,000 - root - INFO - step: {}  tps: {}\n",
                          i, i, rate);
    return text;
  };
  const std::string sizes =
      "Training starts at step 1, with local batch size {}, global batch size "
      "{}{}, sequence length 8192, total steps 1000\n";
  const auto start = [&](int local, int global, const char* accumulation = "") {
    return fmt::format(fmt::runtime(sizes), local, global, accumulation);
  };
  // 64 x 8192 tokens in 10 s are 52,429 a second: 6554 on each of 8.
  const auto accumulated =
      read_pasted(start(1, 64, ", gradient accumulation steps 8") + steps(6554)).steps.front();
  CHECK(accumulated.accelerators == 8);
  CHECK(accumulated.gradient_accumulation == 8);
  CHECK_THAT(accumulated.step.base(), WithinRel(10.0, 1e-3));
  // 16 x 8192 tokens in 10 s are 13,107 a second: 409.6 on each of 8 x 4.
  const std::string mesh = "Building 2-D device mesh with ['dp_shard', 'tp'], [8, 4]\n";
  const auto meshed = read_pasted(mesh + start(2, 16) + steps(410)).steps.front();
  CHECK(meshed.accelerators == 32);
  CHECK(meshed.tensor_parallel_size == 4);
  CHECK(meshed.context_parallel_size == 1);
  CHECK_THAT(meshed.step.base(), WithinRel(10.0, 2e-3));
  // 64 samples in passes of 1 on each of 8 data-parallel ranks are 8 passes; 64 x 8192 tokens in
  // 10 s are 1638.4 a second on each of 32.
  const auto passes = read_pasted(mesh + start(1, 64) + steps(1638)).steps.front();
  CHECK(passes.micro_batch == 1);
  CHECK(passes.gradient_accumulation == 8);
  // Pipelines cut a rank's batch into micro-batches that the log does not say.
  const std::string pipeline = "Building 2-D device mesh with ['pp', 'dp_shard'], [4, 8]\n";
  CHECK_FALSE(read_pasted(pipeline + start(8, 64) + steps(1638)).steps.front().micro_batch);
  // Without the mesh it would be 8 accelerators and steps of 40 s, which contradict the clock.
  CHECK(
      refusal([&] { read_pasted(start(2, 16) + steps(410), {.tensor_parallel_size = 1}); }) ==
      "run.log:6: step: the lines' rate, a batch of 16 and 8 accelerators make 39.96 s a step, the "
      "time stamps of the same lines 10 s: one of them is wrong, so that neither is taken");
}

TEST_CASE("a bar that begins anew with each epoch goes on") {
  std::string text;
  for (int epoch = 0; epoch < 2; ++epoch)
    for (int i = 1; i <= 5; ++i)
      text += fmt::format("Epoch {}: {}%|#   | {}/5 [00:{:02}<00:10,  0.50it/s, v_num=0]\n", epoch,
                          20 * i, i, 2 * i);
  StepHints hints = eight;
  hints.global_batch = 64;
  const auto steps = read_pasted(text, hints).steps;
  REQUIRE(steps.size() == 1);
  CHECK(steps.front().steps == 9);
  CHECK_THAT(steps.front().step.base(), WithinRel(2.0, 1e-9));
}

TEST_CASE("a throughput of the whole run leaves its evaluations out") {
  const auto event = [](const std::string& key, int seconds, const std::string& value,
                        const std::string& metadata = "{}") {
    return fmt::format(
        ":::MLLOG {{\"key\": \"{}\", \"time_ms\": {}, \"value\": {}, \"metadata\": {}}}\n", key,
        1000 * seconds, value, metadata);
  };
  // 100 steps of 64 samples take 200 s, including two evaluations of 40 s in all.
  const std::string text = event("global_batch_size", 0, "64") + event("run_start", 10, "null") +
                           event("eval_start", 90, "null") + event("eval_stop", 110, "null") +
                           event("eval_start", 190, "null") + event("eval_stop", 210, "null") +
                           event("run_stop", 210, "null") + event("train_samples", 210, "6400") +
                           event("tracked_stats", 210, "{\"throughput\": 32.0}");
  const StepReading reading = read_pasted(text, eight);
  CHECK_THAT(reading.steps.front().step.base(), WithinRel(1.6, 1e-9));
  CHECK(reading.remarks.front() ==
        "run.log:9: throughput is of the whole run: its evaluations, 40 s, left out");
}

TEST_CASE("three lines from iteration 71 on are three steps") {
  CHECK(read_pasted(megatron(71, 1300) + megatron(72, 1300) + megatron(73, 1300), eight)
            .steps.front()
            .steps == 3);
}

TEST_CASE("steps that ranks repeat count once, after a restart the first is not taken") {
  const std::string twice = megatron(1, 5000) + megatron(1, 5100) + megatron(2, 1300) +
                            megatron(2, 1290) + megatron(3, 1300) + megatron(2, 1310);
  const StepReading ranks = read_pasted(twice, eight);
  CHECK(ranks.steps.front().steps == 2);
  CHECK(ranks.remarks.front() ==
        "run.log:1: 3 lines repeat a step, of other ranks or of a bar: the first of each counts");
  std::string killed;
  for (int i = 1; i <= 9; ++i) killed += megatron(i, 1300);
  killed += megatron(5, 6000) + megatron(6, 1300);
  const StepReading restarted = read_pasted(killed, eight);
  REQUIRE(restarted.steps.size() == 1);
  CHECK_THAT(restarted.steps.front().step.base(), WithinRel(1.3, 1e-9));
  CHECK(restarted.remarks.front() == "run.log:10: the job began anew");
}

TEST_CASE("a second job with other arguments is a run of its own") {
  std::string text = "world_size ... 8\n";
  for (int i = 1; i <= 5; ++i) text += megatron(i, 1300);
  text += "world_size ... 16\n";
  for (int i = 1; i <= 5; ++i) text += megatron(i, 700);
  const auto steps = read_pasted(text, {.tensor_parallel_size = 1}).steps;
  REQUIRE(steps.size() == 2);
  CHECK(steps[1].accelerators == 16);
  CHECK_THAT(steps[1].step.base(), WithinRel(0.7, 1e-9));
}

TEST_CASE("a time that the stamps of its lines contradict is taken by nobody") {
  const auto at = [](int second, int iteration, double milliseconds) {
    return megatron(iteration, milliseconds, fmt::format("[2024-05-01 10:00:{:02}]", second));
  };
  const auto log = [&](double milliseconds) {
    return at(0, 10, milliseconds) + at(20, 20, milliseconds) + at(40, 30, milliseconds);
  };
  CHECK_THAT(read_pasted(log(2000), eight).steps.front().step.base(), WithinRel(2.0, 1e-9));
  CHECK(refusal([&] { read_pasted(log(20000), eight); }) ==
        "run.log:3: step: the lines say 20 s a step, the time stamps of the same lines 2 s: one of "
        "them is wrong, so that neither is taken");
}

TEST_CASE("samples/s that the time of a step contradicts are refused") {
  const std::string text =
      " samples/sec: 64.0 | iteration 5/ 10 | elapsed time per iteration (ms): 4000.0 | global "
      "batch size: 64 |\n";
  CHECK(refusal([&] { read_pasted(text, eight); }) ==
        "run.log:1: step: the lines say 4 s a step, samples/s and the batch make 1 s: one of them "
        "is wrong, so that neither is taken");
}

TEST_CASE("a throughput of neither the job nor one accelerator contradicts its epochs") {
  CHECK(refusal([] { read_pasted(ssd_log(2300.0 / 3, 508888, 508888, 508888)); }) ==
        "run.log:1: throughput: throughput, train_samples and the 508.9 s that an epoch takes "
        "contradict each other");
}

TEST_CASE("a bar of training counts, those of loading and evaluation do not") {
  std::string text = "Loading checkpoint shards: 100%|###| 3/3 [00:02<00:00,  1.50it/s]\n";
  for (int i = 1; i <= 8; ++i)
    text +=
        fmt::format("  {}%|#   | {}/100 [00:{:02}<03:00,  2.00s/it, loss=1.{}]\r", i, i, 2 * i, i);
  text += "\n 50%|##  | 5/10 [00:01<00:01,  5.00it/s]\n";
  StepHints hints = eight;
  hints.global_batch = 64;
  const StepReading reading = read_pasted(text, hints);
  REQUIRE(reading.steps.size() == 1);
  CHECK_THAT(reading.steps.front().step.base(), WithinRel(2.0, 1e-9));
  CHECK(reading.remarks.size() == 3);
}

TEST_CASE("a batch that does not reach all accelerators asks how they share samples") {
  const std::string text =
      "iteration 5/ 10 | elapsed time per iteration (ms): 2100.0 | global batch "
      "size: 8 |\n";
  CHECK(
      refusal([&] { read_pasted(text, {.accelerators = 16}); }) ==
      "run.log:1: a batch of 8 on 16 accelerators takes at least 2 of them a sample: the log does "
      "not say how, state --tp (or --cp)");
  CHECK(read_pasted(text, {.accelerators = 16, .tensor_parallel_size = 2}).steps.size() == 1);
}

TEST_CASE("a survey tells what a log says, and asks for nothing") {
  const auto survey =
      survey_step_log(megatron(71, 1300) + megatron(72, 1300), "run.log").runs.front();
  CHECK(survey.format == "Megatron-LM");
  CHECK(!survey.accelerators);
  CHECK(survey.iteration == 72);
  CHECK(survey.iterations == 100);
  CHECK(survey.seconds == std::vector<double>{1.3, 1.3});
}

TEST_CASE("a trainer's summary of no time, or of no steps, is refused") {
  for (const char* summary : {"{'train_runtime': 0.0, 'train_steps_per_second': 0.5}\n",
                              "{'train_runtime': 200.0, 'train_steps_per_second': 0.0}\n",
                              "{'train_runtime': 200.0}\n"}) {
    INFO(summary);
    CHECK_THAT(refusal([&] { read_pasted(summary, eight); }),
               ContainsText("run.log:1: train_runtime: how many steps that was follows neither"));
  }
}

TEST_CASE("a utilisation above its peak is refused, however little it is above") {
  const auto steps = [](double percent) {
    std::string text;
    for (int i = 0; i < 4; ++i)
      text += fmt::format("2025-03-04 00:{}:20.000 - step: {}  loss: 3.4  tps: 6,785  mfu: {}%\n",
                          44 + i, 10 * (i + 1), percent);
    return text;
  };
  StepHints hints = eight;
  hints.global_batch = 8;
  CHECK_THAT(refusal([&] { read_pasted(steps(100.5), hints); }),
             ContainsText("mfu: 100.5 % of a peak is no utilisation"));
  CHECK_THAT(read_pasted(steps(99.5), hints).steps.front().step.base(), WithinRel(6.0, 1e-9));
}
