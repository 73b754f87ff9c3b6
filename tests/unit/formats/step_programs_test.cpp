// Lines in the format of each program, from memory of its source; none is from a real run.
#include <string>
#include <vector>

#include "sim/formats/step_logs/step_log.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

constexpr StepHints plan{
    .tensor_parallel_size = 1, .context_parallel_size = 1, .gradient_accumulation = 1};

/// Hints for the sizes that the log does not state.
StepHints with(int accelerators, double batch, double sequence) {
  StepHints hints = plan;
  hints.accelerators = accelerators;
  hints.global_batch = batch;
  hints.sequence_length = sequence;
  return hints;
}

struct Read {
  std::string program;
  MeasuredStep step;
};
Read read(const std::string& text, const StepHints& hints) {
  INFO(text);
  return {survey_step_log(text, "run.log", hints).runs.front().format,
          read_step_log(text, "run.log", hints).steps.front()};
}

}  // namespace

TEST_CASE("programs that print rates of one accelerator: a step follows from its tokens") {
  struct Line {
    std::string program;
    std::string text;
  };
  // 64 samples of 4,096 tokens on 8 accelerators at 16,384 tokens/s each take 2 s a step.
  for (const Line& line :
       {Line{"torchtune",
             "Step 12 | loss:1.5012 lr:2e-05 tokens_per_second_per_gpu:16384.0 "
             "peak_memory_active:55.2\n"},
        Line{"NeMo AutoModel",
             "2025-10-01 10:00:24 | INFO | root | step 12 | epoch 0 | loss 1.5012 | grad_norm "
             "1.2031 | lr 1.00e-05 | mem 55.20 GiB | tps 131072.00(16384.00/gpu) | "
             "num_label_tokens 262144\n"},
        Line{"lingua",
             "step: 12  acc: 0  loss:  1.5012  grad: 1.20e+00  flops: 3.01e+14  wps: 1.6384e+04  "
             "iter:  1.9998  data:   0.0  lr: 3.00e-04  mem: 85%  pow: 650.2 W\n"},
        Line{"picotron",
             "[rank 0] Step: 12    | Loss: 1.5012 | Global batch size: 262.14K | Tokens/s: 131.07K "
             "| Tokens/s/GPU:  16.38K | Tokens:   3.15M/2.00B | MFU: 38.21% | Memory usage:  "
             "55.20GB\n"},
        Line{"InternEvo",
             "2024-03-01 10:00:24,000\tINFO pipeline.py:612 in "
             "record_current_batch_training_metrics "
             "-- pid=1: tflops=163.28, step=12, loss=1.5012, tgs (tokens/gpu/second)=16384.0, "
             "tgs/last_tgs_1=16384.0, lr=1e-05, num_consumed_tokens=3407872, fwd_bwd_time=1.9\n"},
        Line{
            "fairseq",
            "2021-11-05 10:00:24 | INFO | train_inner | {\"epoch\": 1, \"loss\": \"9.8\", \"ppl\": "
            "\"891\", \"wps\": \"131072\", \"ups\": \"0.5\", \"wpb\": \"262144\", \"bsz\": \"64\", "
            "\"num_updates\": \"12\", \"lr\": \"1e-05\"}\n"},
        Line{"fairseq",
             "epoch 001:     12 / 1000 loss=9.8, ppl=891, wps=131072, ups=0.5, wpb=262144, bsz=64, "
             "num_updates=12, lr=1e-05, gnorm=1.2, train_wall=24, wall=30\n"}}) {
    const Read got = read(line.text, with(8, 64, 4096));
    CHECK(got.program == line.program);
    CHECK_THAT(got.step.step.base(), WithinRel(2.0, 1e-3));
  }
}

TEST_CASE("programs that print the time of a step, or steps a second") {
  struct Line {
    std::string program;
    std::string text;
  };
  for (const Line& line :
       {Line{"MindFormers",
             "2024-03-01 10:00:24,000 - INFO - { Epoch:[  1/  1], step:[   12/ 1000], loss: 1.501, "
             "per_step_time: 2000ms, lr: 1e-05, overflow cond: False, loss_scale: 65536.0, "
             "global_norm: [1.2], train_throughput_per_npu: 180.123T\n"},
        Line{"ms-swift",
             "{'loss': 1.5012, 'grad_norm': 1.2, 'learning_rate': 1e-05, 'memory(GiB)': 55.2, "
             "'train_speed(iter/s)': 0.5, 'epoch': 0.1, 'global_step/max_steps': '12/1000', "
             "'percentage': '1.20%'}\n"},
        Line{"ms-swift",
             "{'loss': 1.5012, 'learning_rate': 1e-05, 'train_speed(s/it)': 2.0, "
             "'global_step/max_steps': '12/1000'}\n"},
        Line{"PaddleNLP",
             "loss: 1.5012, learning_rate: 1e-05, global_step: 12, interval_runtime: 2.0, "
             "interval_samples_per_second: 32.0, interval_steps_per_second: 0.5, "
             "progress_or_epoch: 0.012\n"}}) {
    const Read got = read(line.text, with(8, 64, 4096));
    CHECK(got.program == line.program);
    CHECK_THAT(got.step.step.base(), WithinRel(2.0, 1e-9));
  }
  // Samples and steps a second give a batch of 64.
  const std::string paddle =
      "global_step: 12, interval_samples_per_second: 32.000, interval_steps_per_second: 0.500\n";
  StepHints hints = plan;
  hints.accelerators = 8;
  CHECK(read(paddle, hints).step.global_batch == 64);
}

TEST_CASE("LitGPT's time of a micro-batch counts as often as a step has one") {
  const std::string text =
      "Epoch 1 | iter 96 step 12 | loss train: 1.501, val: n/a | iter time: 250.00 ms (step) "
      "remaining time: 1:23:45\n"
      "Epoch 1 | iter 104 step 13 | loss train: 1.501, val: n/a | iter time: 250.00 ms (step) "
      "remaining time: 1:23:43\n";
  StepHints hints = with(8, 64, 4096);
  hints.gradient_accumulation.reset();
  const StepReading reading = read_step_log(text, "run.log", hints);
  CHECK_THAT(reading.steps.front().step.base(), WithinRel(2.0, 1e-9));
  CHECK(reading.steps.front().gradient_accumulation == 8);
  CHECK(reading.remarks.front() ==
        "run.log:1: a time is of one of 8 micro-batches a step, and counts as often");
  const std::string each = "iter 12 step 12: loss 1.5012, iter time: 2000.00ms (optimizer.step)\n";
  CHECK_THAT(read(each, with(8, 64, 4096)).step.step.base(), WithinRel(2.0, 1e-9));
}

TEST_CASE("programs whose steps are several lines each") {
  const std::string fms =
      "step: 100\nloss: 5.2\nLR: 0.0003\ntokens seen: 26214400\ngradient norm: 1.2\n"
      "reserved memory: 60000000000\ncurrent step time: 2.0\noverall step time: 2.1\n"
      "current token per gpu per sec: 16384\noverall token per gpu per sec: 15603\n"
      "step: 200\nloss: 5.1\ntokens seen: 52428800\ncurrent step time: 2.0\n"
      "current token per gpu per sec: 16384\n";
  const std::string composer =
      "[batch=11/4800]:\n\t Train time/batch: 10\n\t Train time/sample: 640\n"
      "\t Train time/token: 2621440\n\t Train loss/train/total: 11.2\n"
      "\t Train throughput/batches_per_sec: 0.5000\n\t Train throughput/samples_per_sec: 32.0000\n"
      "\t Train throughput/device/batches_per_sec: 0.0625\n"
      "\t Train throughput/device/tokens_per_sec: 16384.0000\n"
      "\t Train throughput/device/mfu: 0.4012\n"
      "[batch=12/4800]:\n\t Train time/batch: 11\n\t Train time/sample: 704\n"
      "\t Train time/token: 2883584\n\t Train throughput/batches_per_sec: 0.5000\n";
  const std::string olmo =
      "2024-02-01 10:00:20.000\tnode0:0\tolmo.train:920\tINFO\t[step=10/1000]\n"
      "    train/CrossEntropyLoss=10.93\n    throughput/total_tokens=2,621,440\n"
      "    throughput/device/tokens_per_second=16,384\n"
      "    throughput/device/batches_per_second=0.5000\n"
      "2024-02-01 10:00:22.000\tnode0:0\tolmo.train:920\tINFO\t[step=11/1000]\n"
      "    throughput/total_tokens=2,883,584\n    throughput/device/tokens_per_second=16,384\n"
      "    throughput/device/batches_per_second=0.5000\n";
  const std::string olmo_core =
      "2025-02-01 10:00:20.000\tnode0:0\tolmo_core.train:90\tINFO\t[step=10/1000,epoch=1]\n"
      "    throughput/device/BPS=0.5000\n    throughput/device/TPS=16,384\n"
      "    throughput/total tokens=2,621,440\n    train/CE loss=10.93\n"
      "2025-02-01 10:00:22.000\tnode0:0\tolmo_core.train:90\tINFO\t[step=11/1000,epoch=1]\n"
      "    throughput/device/BPS=0.5000\n    throughput/device/TPS=16,384\n"
      "    throughput/total tokens=2,883,584\n";
  struct Log {
    std::string program;
    std::string text;
    double iteration;
    std::optional<double> iterations;
  };
  for (const Log& log : {Log{"FMS-FSDP", fms, 200, {}}, Log{"Composer", composer, 12, 4800},
                         Log{"OLMo", olmo, 11, 1000}, Log{"OLMo", olmo_core, 11, 1000}}) {
    INFO(log.text);
    StepHints hints = with(8, 64, 4096);
    hints.sequence_length.reset();
    const Read got = read(log.text, hints);
    CHECK(got.program == log.program);
    CHECK_THAT(got.step.step.base(), WithinRel(2.0, 1e-9));
    CHECK(got.step.sequence_length == 4096);  // from the tokens so far
    const StepSurvey survey = survey_step_log(log.text, "run.log", hints).runs.front();
    CHECK(survey.iteration == log.iteration);
    CHECK(survey.iterations == log.iterations);
  }
  StepHints hints = plan;
  hints.accelerators = 8;
  CHECK(read(composer, hints).step.global_batch == 64);  // from the samples so far
}

TEST_CASE("arguments of the next job end a step of several lines") {
  const auto job = [](int accelerators, int first, const char* time) {
    std::string text = "world_size: " + std::to_string(accelerators) + "\n";
    for (int i = 0; i < 3; ++i)
      text +=
          "step: " + std::to_string(first + i) + "\nloss: 5.2\ncurrent step time: " + time + "\n";
    return text;
  };
  StepHints hints = with(8, 512, 4096);
  hints.accelerators.reset();
  const StepReading reading =
      read_step_log(job(64, 11, "4.0") + job(128, 14, "2.0"), "run.log", hints);
  REQUIRE(reading.steps.size() == 2);
  CHECK(reading.steps[0].accelerators == 64);
  CHECK_THAT(reading.steps[0].step.base(), WithinRel(4.0, 1e-9));
  CHECK(reading.steps[1].accelerators == 128);
  CHECK_THAT(reading.steps[1].step.base(), WithinRel(2.0, 1e-9));
}

TEST_CASE("a bar that is written to a file, as Levanter's is") {
  const std::string text =
      "2024-03-01 10:00:12 - 0 - tqdm_logging - INFO :: Progress on:train 6.00it/10.0kit "
      "rate:2.0s/it remaining:5:33:00 elapsed:00:12 postfix:loss=10.2\n"
      "2024-03-01 10:00:24 - 0 - tqdm_logging - INFO :: Progress on:train 12.0it/10.0kit "
      "rate:2.0s/it remaining:5:33:00 elapsed:00:24 postfix:loss=10.1\n";
  const StepSurvey survey = survey_step_log(text, "run.log").runs.front();
  CHECK(survey.iteration == 12);
  CHECK(survey.iterations == 10000);
  CHECK_THAT(survey.step.value().base(), WithinRel(2.0, 1e-9));
  const std::string fast =
      "Progress on:train 21.0kit/60.0kit rate:1,982.9it/s remaining:00:19 elapsed:00:10 "
      "postfix:-\n";
  CHECK_THAT(survey_step_log(fast, "run.log").runs.front().step.value().base(),
             WithinRel(1 / 1982.9, 1e-9));
}

TEST_CASE("a line of JSON a step: its time under any of the usual keys, prefixed or not") {
  struct Line {
    std::string figures;
    double seconds;
  };
  for (const Line& line :
       {Line{R"("loss": 2.31, "step_time": 1.25)", 1.25}, Line{R"("step_time_ms": 1250.0)", 1.25},
        Line{R"("perf/iter_time": 0.5, "loss": 2)", 0.5},
        Line{R"("time_per_iteration_ms": 333.0)", 0.333}, Line{R"("steps_per_second": 4.0)", 0.25},
        // 64 samples at 32 samples/s, or 64 x 4096 tokens at 8 x 16384 tokens/s, take 2 s.
        Line{R"("samples_per_second": 32.0)", 2}, Line{R"("tokens_per_sec_per_gpu": 16384)", 2}}) {
    std::string text;
    for (const int step : {11, 12, 13})
      text += "{\"step\": " + std::to_string(step) + ", " + line.figures + "}\n";
    INFO(text);
    const Read json = read(text, with(8, 64, 4096));
    CHECK(json.program == "JSON or Python dicts with step_time");
    CHECK_THAT(json.step.step.base(), WithinRel(line.seconds, 1e-9));
  }
  // Each line is a step if it has no number, in JSON or as a Python dict.
  for (const std::string line : {R"({"loss": 2.1, "step_time": 1.25})",
                                 R"({'loss': 2.1, 'epoch': 0.01, 'step_time_ms': 1250.0})"}) {
    const Read unnumbered = read(line + '\n' + line + '\n' + line + '\n', with(8, 64, 4096));
    CHECK_THAT(unnumbered.step.step.base(), WithinRel(1.25, 1e-9));
    CHECK(unnumbered.step.steps == 3);
  }
  CHECK_FALSE(is_step_log("a step_time\": 2.0}\na step_time\": 2.0}\n"));
  // wandb counts the steps itself, and max_steps gives the length of the run.
  const auto survey = survey_step_log(
      "{\"_step\": 4, \"max_steps\": 90, \"train/step_time\": 2.0}\n"
      "{\"_step\": 5, \"max_steps\": 90, \"train/step_time\": 2.0}\n",
      "run.log");
  CHECK(survey.runs.front().iteration == 5);
  CHECK(survey.runs.front().iterations == 90);
  CHECK_FALSE(is_step_log("{\"step\": 1, \"loss\": 2.0}\n{\"step\": 2, \"loss\": 2.0}\n"));
  CHECK_FALSE(is_step_log("{\"step_time\": 2.0}\n"));
}
