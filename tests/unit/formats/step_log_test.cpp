#include "sim/formats/step_logs/step_log.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

constexpr double step_log_exact = 1e-12;

StepReading step_log_read(const std::string& text, const StepHints& hints = {}) {
  return read_step_log(text, "run.log", hints);
}
MeasuredStep only_step(const std::string& text, const StepHints& hints = {}) {
  const auto steps = step_log_read(text, hints).steps;
  REQUIRE(steps.size() == 1);
  return steps.front();
}
std::string refusal_of_log(const std::string& text, const StepHints& hints = {}) {
  return refusal([&] { step_log_read(text, hints); });
}

const std::string megatron_arguments =
    "  context_parallel_size ........................... 2\n"
    "  micro_batch_size ................................ 2\n"
    "  tensor_model_parallel_size ...................... 4\n"
    "  transformer_pipeline_model_parallel_size ........ 1\n"
    "  world_size ...................................... 16\n";

std::string megatron_line(int iteration, const std::string& milliseconds, int batch = 64) {
  return " [2024-05-01 10:00:00] iteration " + std::to_string(iteration) +
         "/     100 | consumed samples:          640 | elapsed time per iteration (ms): " +
         milliseconds +
         " | learning rate: 1.0E-04 | global batch size:    " + std::to_string(batch) +
         " | lm loss: 9.1E+00 |\n";
}

std::string mllog(const std::string& key, const std::string& rest) {
  return "3: :::MLLOG {\"namespace\": \"\", \"key\": \"" + key + "\", " + rest + "}\n";
}

const StepHints step_log_eight{.accelerators = 8};

}  // namespace

TEST_CASE("Megatron-LM: arguments, mean times of ten iterations, a checkpoint") {
  std::string text = megatron_arguments + megatron_line(10, "5000.0");
  for (int i = 2; i <= 7; ++i) text += megatron_line(10 * i, i == 5 ? "9000.0" : "1300.0");
  const StepReading reading = step_log_read(text);
  REQUIRE(reading.steps.size() == 1);
  const MeasuredStep& step = reading.steps.front();
  CHECK(step.accelerators == 16);
  CHECK(step.global_batch == 64);
  CHECK(step.tensor_parallel_size == 4);
  CHECK(step.context_parallel_size == 2);
  CHECK(step.gradient_accumulation == 16);  // 64 = 2 samples x 2 replicas x 16
  CHECK_THAT(step.step.base(), WithinRel(1.3, step_log_exact));
  CHECK(step.steps == 50);
  CHECK(step.source == "run.log");
  REQUIRE(reading.remarks.size() == 2);
  CHECK(reading.remarks[0] ==
        "run.log:6: batch 64: the first 1 of 7 times left out as warm-up (until one is within 10 % "
        "of the second half's median)");
  CHECK(
      reading.remarks[1] ==
      "run.log:10: 1 of 7 times left out as outliers (over 5 deviations and 5 % from the median): "
      "9 s in line 10");
}

TEST_CASE("Megatron-LM: a batch that grows makes a row a batch") {
  const auto steps = step_log_read(megatron_arguments + megatron_line(1, "700", 32) +
                                   megatron_line(2, "700", 32) + megatron_line(3, "1300", 64))
                         .steps;
  REQUIRE(steps.size() == 2);
  CHECK(steps[0].global_batch == 32);
  CHECK_THAT(steps[0].step.base(), WithinRel(0.7, step_log_exact));
  CHECK(steps[1].global_batch == 64);
  CHECK_THAT(steps[1].step.base(), WithinRel(1.3, step_log_exact));
}

TEST_CASE("NeMo: a progress bar that draws steps again over themselves") {
  const MeasuredStep step = only_step(
      "trainer:\n  devices: 8\n  num_nodes: 2\nmodel:\n  tensor_model_parallel_size: 4\n"
      "  context_parallel_size: 1\n  micro_batch_size: 1\n"
      "Epoch 0:  1%| | 1/9 [00:03<05:00, global_step=1.000, consumed_samples=16.00, "
      "train_step_timing in s=3.700]\r"
      "Epoch 0:  1%| | 1/9 [00:04<05:00, global_step=1.000, consumed_samples=16.00, "
      "train_step_timing in s=3.700]\r"
      "Epoch 0:  2%| | 2/9 [00:07<05:00, global_step=2.000, consumed_samples=32.00, "
      "train_step_timing in s=3.900]\n");
  CHECK(step.accelerators == 16);
  CHECK(step.global_batch == 16);
  CHECK(step.tensor_parallel_size == 4);
  CHECK(step.gradient_accumulation == 4);  // 16 = 1 sample x 4 replicas x 4
  CHECK(step.steps == 2);
  CHECK_THAT(step.step.base(), WithinRel(3.8, step_log_exact));
}

TEST_CASE("a survey has the run's length of a bar or of a dump, and its end") {
  const StepSurvey bar = survey_step_log(
                             "Epoch 0:  1%| | 12/900 [00:03<05:00, global_step=12.00, "
                             "train_step_timing in s=3.700]\n",
                             "run.log")
                             .runs.back();
  CHECK(bar.iterations == 900);
  CHECK(bar.length_from.empty());
  const StepSurvey dump =
      survey_step_log("max_steps: 600\nglobal_step: 12 | train_step_timing in s: 2.5\n", "run.log")
          .runs.back();
  CHECK(dump.iterations == 600);
  CHECK(dump.length_from == "max_steps");
  CHECK(!dump.end.is_known());
}

/// Log of blocks of 2000 steps of 0.5 s at batch 72, with an evaluation after each. `begin` and
/// `end` give the sample counts at the ends of block n.
template <class Begin, class End>
std::string mllog_blocks(const Begin& begin, const End& end) {
  long long now = 1'000'000;
  const auto event = [&](const std::string& key, long long count) {
    return mllog(key, "\"time_ms\": " + std::to_string(now) +
                          ", \"value\": null, \"metadata\": {\"samples_count\": " +
                          std::to_string(count) + ", \"status\": \"success\"}");
  };
  std::string text = mllog("global_batch_size", "\"value\": 72") + event("run_start", 0);
  for (long long block = 0; block < 15; ++block) {
    text += event("block_start", begin(block));
    now += 1'000'000;
    text += event("block_stop", end(block));
    now += 10'000;
  }
  return text + event("run_stop", 15 * 144'000);
}

TEST_CASE("MLLOG: counts since the start of the run are no counts of one block") {
  const auto since_start = [](long long n) { return (n + 1) * 144'000; };
  const auto step = [](const std::string& text) {
    return only_step(text, {.accelerators = 6}).step.base();
  };
  const std::string grows = mllog_blocks([](long long) { return 0; }, since_start);
  CHECK_THAT(step(grows), WithinRel(0.5, step_log_exact));
  CHECK(step_log_read(grows, {.accelerators = 6})
            .remarks.front()
            .find("counted from the start of the run") != std::string::npos);
  CHECK_THAT(step(mllog_blocks([](long long n) { return n * 144'000; }, since_start)),
             WithinRel(0.5, step_log_exact));
  CHECK_THAT(step(mllog_blocks([](long long) { return 0; }, [](long long) { return 144'000; })),
             WithinRel(0.5, step_log_exact));
  // Each block has a single step of 1000 s.
  CHECK_THAT(
      step(mllog_blocks([](long long) { return 0; }, [](long long n) { return (n + 1) * 72; })),
      WithinRel(1000.0, step_log_exact));
  CHECK(survey_step_log(grows, "run.log").runs.back().end.words == "run_stop, success");
  CHECK(survey_step_log(grows + "`Trainer.fit` stopped: `max_epochs=1` reached.\n", "run.log")
            .runs.back()
            .end.words == "run_stop, success");
  CHECK(refusal_of_log(grows + grows) ==
        "run.log: run_start: stands again after run_stop: these are several runs, give each its "
        "own file");
}

TEST_CASE("NeMo 2: a line a step") {
  const MeasuredStep step = only_step(
      "Training epoch 0, iteration 0/9 | global_batch_size: 8 | global_step: 0 | "
      "train_step_timing in s: 2.5 | consumed_samples: 8\n",
      {.accelerators = 8,
       .global_batch = 8,
       .tensor_parallel_size = 1,
       .context_parallel_size = 1,
       .gradient_accumulation = 1});
  CHECK_THAT(step.step.base(), WithinRel(2.5, step_log_exact));
}

TEST_CASE("MLLOG: blocks without the evaluations between them") {
  const std::string batch = mllog("global_batch_size", "\"value\": 8") +
                            mllog("gradient_accumulation_steps", "\"value\": 4");
  const auto event = [](const char* key, int milliseconds, int samples) {
    return mllog(key, "\"time_ms\": " + std::to_string(milliseconds) +
                          ", \"metadata\": {\"samples_count\": " + std::to_string(samples) + "}");
  };
  // Two blocks take 10 steps in 37 s and 5 steps in 18.6 s, with an evaluation of 20 s between.
  const MeasuredStep step =
      only_step(batch + event("block_start", 1000, 0) + event("block_stop", 38000, 80) +
                    event("block_start", 58000, 80) + event("block_stop", 76600, 120),
                {.accelerators = 8, .tensor_parallel_size = 4});
  CHECK(step.global_batch == 8);
  CHECK(step.gradient_accumulation == 4);
  CHECK_THAT(step.step.base(), WithinRel(3.71, step_log_exact));
  CHECK(step.steps == 15);
}

TEST_CASE("MLLOG: printed step times count before throughput") {
  const std::string batch = mllog("global_batch_size", "\"value\": 8");
  const std::string stats = mllog("tracked_stats", "\"value\": {\"throughput\": 2}");
  CHECK_THAT(only_step(batch + stats, step_log_eight).step.base(), WithinRel(4.0, step_log_exact));
  const std::string time = mllog("tracked_stats", "\"value\": {\"train_step_time\": 3.5}");
  CHECK_THAT(only_step(batch + stats + time, step_log_eight).step.base(),
             WithinRel(3.5, step_log_exact));
}

TEST_CASE("MLLOG: a clock that stands still does not contradict the throughput") {
  const auto event = [](const char* key, const char* rest) {
    return mllog(key, std::string("\"time_ms\": 1000") + rest);
  };
  const std::string run = mllog("global_batch_size", "\"value\": 8") + event("run_start", "") +
                          mllog("tracked_stats", "\"value\": {\"throughput\": 2}") +
                          event("run_stop",
                                ", \"metadata\": {\"samples_count\": 80, \"status\": "
                                "\"success\"}");
  CHECK_THAT(only_step(run, step_log_eight).step.base(), WithinRel(4.0, step_log_exact));
}

TEST_CASE("MLLOG: a run is as long as its arguments state, and else as the event does") {
  const std::string events = mllog("global_batch_size", "\"value\": 8") +
                             mllog("opt_learning_rate_training_steps", "\"value\": 1200") +
                             mllog("tracked_stats", "\"value\": {\"train_step_time\": 3.5}");
  const auto length = [](const std::string& text) {
    return survey_step_log(text, "run.log").runs.back().iterations;
  };
  CHECK(length(events) == 1200);
  CHECK(length("max_steps: 800\n" + events) == 800);
}

TEST_CASE("sizes that lines state in words of their program are read") {
  const auto survey = [](const std::string& text) {
    return survey_step_log(text, "run.log").runs.back();
  };
  const std::string trainer =
      "  Instantaneous batch size per device = 4\n"
      "  Total train batch size (w. parallel, distributed & accumulation) = 128\n"
      "  Gradient Accumulation steps = 4\n  Total optimization steps = 1,218\n"
      "  0%|          | 1/1218 [00:06<1:51:48,  6.00s/it]\n"
      "  0%|          | 2/1218 [00:12<1:51:48,  6.00s/it]\n"
      "  0%|          | 3/1218 [00:18<1:51:48,  6.00s/it]\n";
  CHECK(survey(trainer).accelerators == 8);  // 128 / (4 x 4)
  const std::string first =
      "using world size: 16, data-parallel size: 1, context-parallel size: 2, hierarchical "
      "context-parallel sizes: None, tensor-model-parallel size: 4, pipeline-model-parallel size: "
      "2\n";
  CHECK(survey(first + megatron_line(1, "900") + megatron_line(2, "900")).context_parallel_size ==
        2);
  CHECK(survey("Num_devices: 256, shape (256,)\nConfig param steps: 1000\n"
               "completed step: 1, seconds: 30.0, TFLOP/s/device: 265.8, loss: 11.9\n"
               "completed step: 2, seconds: 30.0, TFLOP/s/device: 265.8, loss: 11.9\n")
            .iterations == 1000);
}

TEST_CASE("MLLOG: half a line of a run that was killed is left out and said") {
  const StepReading reading = step_log_read(
      mllog("global_batch_size", "\"value\": 8") +
          mllog("tracked_stats", "\"value\": {\"throughput\": 2}") + ":::MLLOG {\"key\": \"tra",
      step_log_eight);
  CHECK(reading.steps.size() == 1);
  CHECK(reading.remarks[0] == "run.log:3: left out: no JSON with a key after :::MLLOG");
}

TEST_CASE("a table's row is one figure, by commas or by blanks") {
  for (const std::string text :
       {"# a comment\nbatch,gpus,tp,cp,ga,step_ms,host\n768,8,1,1,2,94.5,n1\n",
        "# a comment\nbatch gpus tp cp ga step_ms host\n768 8 1 1 2 94.5 n1\n"}) {
    const StepReading reading = step_log_read(text);
    REQUIRE(reading.steps.size() == 1);
    CHECK(reading.steps[0].source == "run.log:3");
    CHECK(reading.steps[0].accelerators == 8);
    CHECK(reading.steps[0].global_batch == 768);
    CHECK(reading.steps[0].gradient_accumulation == 2);
    CHECK_THAT(reading.steps[0].step.base(), WithinRel(0.0945, step_log_exact));
    CHECK(reading.remarks == std::vector<std::string>{"run.log:2: columns not read: host"});
  }
}

TEST_CASE("a table's plan is read, and what options say must agree with it") {
  const std::string text = "batch,gpus,tp,pp,cp,micro_batch,ga,step_ms\n64,16,2,4,1,2,16,94.5\n";
  const MeasuredStep step = only_step(text, {});
  CHECK(step.pipeline_parallel_size == 4);
  CHECK(step.micro_batch == 2);
  CHECK(step.gradient_accumulation == 16);
  CHECK(refusal_of_log(text, {.pipeline_parallel_size = 2}) ==
        "run.log:2: --pp: says 2, but the log says 4");
  const std::string without = "batch,gpus,tp,pp,cp,ga,step_ms\n64,16,2,4,1,16,94.5\n";
  CHECK(only_step(without, {.micro_batch = 2}).gradient_accumulation == 16);
  CHECK(refusal_of_log(without, {.micro_batch = 1}) ==
        "run.log:2: grad_accum: is 16, but micro-batches of 1 make 32 of a batch of 64 on 16 "
        "accelerators");
  CHECK(refusal_of_log(without, {.micro_batch = 3}) ==
        "run.log:2: grad_accum: is 16, but micro-batches of 3 make no whole number of a batch of "
        "64 on 16 accelerators");
}

TEST_CASE("a table says how long its samples are") {
  const auto length = [](const std::string& name) {
    return only_step("batch,gpus," + name + ",step_ms\n4,1,4096,94.5\n").sequence_length;
  };
  for (const std::string name : {"sequence_length", "seq_length", "seq_len"})
    CHECK(length(name) == 4096);
  const std::string two = "batch,gpus,seq_len,step,step_ms\n";
  CHECK(step_log_read(two + "4,1,512,1,90\n4,1,512,2,90\n4,1,1024,1,180\n").steps.size() == 2);
  CHECK(refusal_of_log("batch,gpus,seq_len,step_ms\n4,1,x,94.5\n") ==
        "run.log:2:5: sequence_length: must be a whole number from 1 is 'x'");
}

TEST_CASE("a table with a column of steps is a run a configuration") {
  const auto steps = step_log_read(
                         "step gpus batch step_s\n1 8 64 9\n2 8 64 1\n3 8 64 1.02\n4 8 64 0.98\n"
                         "1 8 32 0.5\n")
                         .steps;
  REQUIRE(steps.size() == 2);
  CHECK(steps[0].steps == 3);
  CHECK_THAT(steps[0].step.base(), WithinRel(1.0, step_log_exact));
  CHECK_THAT(steps[1].step.base(), WithinRel(0.5, step_log_exact));
  const auto row = step_log_read("gpus batch step_s\n8 64 1\n").steps;
  CHECK(row.at(0).steps == 1);  // by default a row is one step
}

TEST_CASE("what a log does not say is asked for, or taken as 1 and said") {
  const std::string text = "batch,step_ms\n64,100\n";
  CHECK(refusal_of_log(text) ==
        "run.log:2: the log does not say how many accelerators ran: state --accelerators");
  CHECK(refusal_of_log("gpus,step_ms\n8,100\n") ==
        "run.log:2: the log does not say the global batch: state --batch");
  CHECK(refusal_of_log(" iteration 1/ 9 | elapsed time per iteration (ms): 900.0 |\n") ==
        "run.log:1: the log does not say how many accelerators ran and the global batch: state "
        "--accelerators and --batch");
  const std::string platform = mllog("submission_platform", "\"value\": \"2x8xMI300X\"") +
                               mllog("global_batch_size", "\"value\": 8") +
                               mllog("tracked_stats", "\"value\": {\"train_step_time\": 0.5}");
  CHECK(refusal_of_log(platform) ==
        "run.log:1: the log does not say how many accelerators ran (the platform is '2x8xMI300X': "
        "perhaps 16): state --accelerators");
  // Digits in the server's name do not count.
  CHECK(
      refusal_of_log(std::string(platform).replace(platform.find("2x8x"), 4, "1xXE8640x4H100_")) ==
      "run.log:1: the log does not say how many accelerators ran (the platform is "
      "'1xXE8640x4H100_MI300X'): state --accelerators");
  CHECK(step_log_read(text, step_log_eight).remarks ==
        std::vector<std::string>{"run.log:2: the log does not say "
                                 "--tp, --cp and --grad-accum: 1 is "
                                 "taken"});
  CHECK(only_step(text, {.accelerators = 8, .tensor_parallel_size = 2}).tensor_parallel_size == 2);
  CHECK(refusal_of_log(text, {.accelerators = 8, .global_batch = 32}) ==
        "run.log:2: --batch: says 32, but the log says 64");
}

TEST_CASE("a line that is wrong is named with its place") {
  CHECK(refusal_of_log("hello\n").starts_with(
      "run.log:1:1: holds no steps in any known format: MLPerf's MLLOG"));
  CHECK(refusal_of_log(megatron_arguments + megatron_line(10, "fast")) ==
        "run.log:6:114: elapsed time per iteration (ms): must be a time above 0 and at most a "
        "million seconds, is 'fast'");
  CHECK(refusal_of_log("batch,gpus,step_ms\n64,8,0\n") ==
        "run.log:2:6: step_ms: must be above 0 and at most a million seconds, is '0'");
  CHECK(refusal_of_log("batch gpus step_ms\n64 8\n") ==
        "run.log:2: row has 2 words, the header has 3");
  CHECK(refusal_of_log("batch gpus n step_ms\n64 8 8 1\n") ==
        "run.log:1: n: is a second column of the same meaning");
  CHECK(refusal_of_log(mllog("global_batch_size", "\"value\": \"many\"")) ==
        "run.log:1: global_batch_size: must be a whole number from 1, is 'many'");
  CHECK(only_step("pipeline_model_parallel_size: 4\n" + megatron_line(10, "1"), step_log_eight)
            .pipeline_parallel_size == 4);
}

TEST_CASE("samples so far of lines that do not all say them still tell the batch") {
  std::string text = "  world_size ................ 8\n";
  for (int i = 1; i <= 4; ++i)
    text += " iteration " + std::to_string(i) + "/ 100 |" +
            (i == 1 ? "" : " consumed samples: " + std::to_string(64 * i) + " |") +
            " elapsed time per iteration (ms): 1300.0 | lm loss: 9.1E+00 |\n";
  CHECK(
      only_step(text,
                {.tensor_parallel_size = 1, .context_parallel_size = 1, .gradient_accumulation = 1})
          .global_batch == 64);
}

TEST_CASE("MLLOG: each throughput counts as one step") {
  const std::string stats = mllog("tracked_stats", "\"value\": {\"throughput\": 2}");
  CHECK(
      only_step(mllog("global_batch_size", "\"value\": 8") + stats + stats, step_log_eight).steps ==
      2);
}

TEST_CASE("MLLOG: a block that ends as it begins has no steps") {
  const auto event = [](const char* key, int milliseconds, int samples) {
    return mllog(key, "\"time_ms\": " + std::to_string(milliseconds) +
                          ", \"metadata\": {\"samples_count\": " + std::to_string(samples) + "}");
  };
  // A replayed log wrote two records at once; between them are 10 steps in 40 s.
  const MeasuredStep step =
      only_step(mllog("global_batch_size", "\"value\": 8") + event("block_start", 1000, 0) +
                    event("block_stop", 1000, 80) + event("block_start", 2000, 80) +
                    event("block_stop", 42000, 160) + event("block_start", 43000, 160) +
                    event("block_stop", 43000, 240),
                {.accelerators = 8});
  CHECK_THAT(step.step.base(), WithinRel(4.0, step_log_exact));
  CHECK(step.steps == 10);
}

TEST_CASE("GPT-NeoX's dump says the plan") {
  const MeasuredStep step = only_step(
      "  global_num_gpus ................. 96........................updated\n"
      "  model_parallel_size ............. 2.........................updated\n"
      "  pipe_parallel_size .............. 4.........................updated\n"
      "  train_batch_size ................ 1536......................updated\n"
      "  train_micro_batch_size_per_gpu .. 4.........................updated\n"
      "  world_size ...................... None......................updated\n"
      " samples/sec: 83.908 | iteration        2/  150000 | elapsed time per iteration (ms): "
      "18305.7 | lm_loss: 9.1E+00 |\n",
      {.context_parallel_size = 1});
  CHECK(step.accelerators == 96);
  CHECK(step.tensor_parallel_size == 2);
  CHECK(step.pipeline_parallel_size == 4);
  CHECK(step.global_batch == 1536);
  CHECK(step.gradient_accumulation == 32);  // 1536 = 4 samples x 12 replicas x 32
}

TEST_CASE("a log that is cut before its first step says so") {
  CHECK(refusal_of_log(megatron_arguments)
            .starts_with("run.log:1:1: states sizes of a training and ends before its first step, "
                         "or has none in any known format: MLPerf's MLLOG"));
}

TEST_CASE("torchtitan's wps of 2024 is its tps") {
  CHECK_THAT(only_step("[rank0]:2024-07-19 12:00:10,123 - root - INFO - step: 10  loss: 12.2  "
                       "memory: 47.66GiB(59.58%)  wps: 8,192  mfu: 39.9%\n",
                       {.accelerators = 8,
                        .global_batch = 16,
                        .tensor_parallel_size = 1,
                        .context_parallel_size = 1,
                        .gradient_accumulation = 1,
                        .sequence_length = 8192})
                 .step.base(),
             WithinRel(2.0, step_log_exact));
}

TEST_CASE("torchtitan's evaluations are no steps, though they print a step and a rate") {
  // Ten steps of 1 s and an evaluation of 2 s take 12 s.
  std::string text;
  for (int i = 1; i <= 5; ++i)
    text += fmt::format(
        "[rank0]:2025-09-01 12:00:{0:02},000 - root - INFO - validate step: {1}5  loss: 5.1  "
        "memory: "
        "47.66GiB(59.58%)  tps: 20,480\n"
        "[rank0]:2025-09-01 12:00:{2},000 - root - INFO - step: {1}0  loss: 5.2  memory: "
        "47.66GiB(59.58%)  tps: 8,192  mfu: 39.9%\n",
        12 * i - 5, i, 12 * i - 1);
  const StepSurvey survey =
      survey_step_log(text, "run.log",
                      {.accelerators = 8, .global_batch = 8, .sequence_length = 8192})
          .runs.front();
  CHECK(survey.iteration == 50);
  CHECK(survey.clock_seconds == 48);
  CHECK(survey.seconds == std::vector<double>(4, 1.0));  // without the first, which is cold
}

TEST_CASE("NeMo 2 says how many iterations the run takes") {
  const StepSurvey survey = survey_step_log(
                                "Training epoch 0, iteration 5/99 | global_batch_size: 8 | "
                                "global_step: 5 | train_step_timing in s: 2.5\n",
                                "run.log")
                                .runs.front();
  CHECK(survey.iteration == 5);
  CHECK(survey.iterations == 99);
}
