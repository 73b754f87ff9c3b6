// Programs that print their steps, a row each: its name, the mark of its steps, and its line with
// the unit of each figure in braces. The first row that fits reads a log.
#include <array>

#include "sim/formats/step_logs/step_line.hpp"

namespace tofn {
inline namespace formats {
namespace {

constexpr std::string_view torchtitan_line =
    "step {step}  tps {tokens/s/gpu}  wps {tokens/s/gpu}  tflops {TFLOP/s/gpu}  mfu {%peak}";
constexpr std::string_view nanochat_line = "step {step}  dt {ms}  tok/sec {tokens/s}  mfu {%peak}";

constexpr std::array dialects{
    // Also Megatron-DeepSpeed and GPT-NeoX.
    StepDialect{"Megatron-LM", "elapsed time per iteration (",
                "iteration {step}  elapsed time per iteration (ms) {ms}  "
                "elapsed time per iteration (s) {s}  consumed samples {samples}  "
                "global batch size {samples/step}  samples/sec {samples/s}  "
                "samples per second {samples/s}  tokens per gpu per second (tgs) {tokens/s/gpu}  "
                "tokens per GPU (tokens/s/GPU) {tokens/s/gpu}  "
                "throughput per GPU (TFLOP/s/GPU) {TFLOP/s/gpu}  "
                "approx flops per GPU {TFLOP/s/gpu}  TFLOPs {TFLOP/s/gpu}"},
    StepDialect{"NeMo", "train_step_timing in s",
                "global_step {step}  iteration {step}  train_step_timing in s {s}  "
                "consumed_samples {samples}  global_batch_size {samples/step}  "
                "tokens_per_sec_per_gpu {tokens/s/gpu}  TFLOPS_per_GPU {TFLOP/s/gpu}",
                "", StepNeeds::FirstOrMark},
    StepDialect{"nanotron", "time_per_iteration_ms:",
                "iteration {step}  elapsed_time_per_iteration_ms {ms}  time_per_iteration_ms {ms}  "
                "tokens_per_sec {tokens/s}  tokens_per_sec_per_gpu {tokens/s/gpu}  "
                "global_batch_size {samples/step}  model_tflops_per_gpu {TFLOP/s/gpu}"},
    StepDialect{"MaxText", "completed step:",
                "completed step {step}  seconds {s}  TFLOP/s/device {TFLOP/s/gpu}  "
                "Tokens/s/device {tokens/s/gpu}  total_weights {tokens/step}"},
    StepDialect{"lingua", "  wps: ", "step {step}  wps {tokens/s/gpu}"},
    StepDialect{"torchtitan", "tps:", torchtitan_line, "", StepNeeds::First, "validate step:"},
    StepDialect{"torchtitan", "wps:", torchtitan_line},  // until the end of 2024
    StepDialect{"DeepSpeed's pipeline",
                "iter time (s):", "steps {step}  iter time (s) {s}  samples/sec {samples/s}"},
    StepDialect{"DeepSpeed",
                "CurrSamplesPerSec=", "global_step {step}  CurrSamplesPerSec {samples/s}"},
    StepDialect{"modded-nanogpt", "step_avg:", "step {step}  step_avg {ms}"},
    StepDialect{"nanochat", "| lrm:", nanochat_line},  // prints the multiplier of its learning rate
    StepDialect{"build-nanogpt", "tok/sec:", nanochat_line},
    StepDialect{"llm.c", " tok/s", "step {step}  {ms} ms |  {tokens/s} tok/s"},
    StepDialect{"nanoGPT", ", time ", "iter {step}  time {ms}  mfu {%peak}"},
    // Prints `iter 128 step 8`, and the time of one micro-batch.
    StepDialect{"LitGPT", "iter time:", "step {step}  iter {passes}  iter time {ms}"},
    StepDialect{"torchtune", "tokens_per_second_per_gpu:",
                "Step {step}  tokens_per_second_per_gpu {tokens/s/gpu}"},
    // Prints `tps 98765.43(12345.68/gpu)`.
    StepDialect{"NeMo AutoModel", "/gpu)", "step {step}  tps {tokens/s}  {tokens/s/gpu}/gpu)"},
    StepDialect{"picotron", "Tokens/s/GPU:",
                "Step {step}  Tokens/s: {tokens/s}  Tokens/s/GPU {tokens/s/gpu}  MFU {%peak}"},
    // Also metaseq (OPT); in JSON. `ups` has two decimals, too few for a step's time.
    StepDialect{"fairseq", "num_updates",
                "num_updates {step}  wps {tokens/s}  wpb {tokens/step}  bsz {samples/step}"},
    StepDialect{"InternEvo", "tgs (tokens/gpu/second)=",
                "step {step}  tgs (tokens/gpu/second) {tokens/s/gpu}  "
                "num_consumed_tokens {tokens}  tflops {TFLOP/s/gpu}"},
    StepDialect{"ms-swift", "train_speed(",
                "global_step/max_steps {step}  train_speed(iter/s) {steps/s}  "
                "train_speed(s/it) {s}"},
    StepDialect{"PaddleNLP", "interval_steps_per_second:",
                "global_step {step}  interval_steps_per_second {steps/s}  "
                "interval_samples_per_second {samples/s}  "
                "interval_tokens_per_second_per_device {tokens/s/gpu}"},
    StepDialect{"MindFormers", "per_step_time:",
                "step:[{step}  per_step_time {ms}  train_throughput_per_npu {TFLOP/s/gpu}"},
    StepDialect{"KempnerForge",
                "| tok/s=", "[step {step}  tok/s {tokens/s}  mfu {%peak}  step_time {s}"},
    StepDialect{"FMS-FSDP", "current step time:",
                "step {step}  tokens seen {tokens}  current step time {s}  "
                "current token per gpu per sec {tokens/s/gpu}",
                "step:"},
    // The batch counts within its epoch if the run's length is in epochs.
    StepDialect{"Composer", "Train throughput/",
                "batch={step}  Train time/sample {samples}  Train time/token {tokens}  "
                "Train throughput/batches_per_sec {steps/s}  "
                "Train throughput/samples_per_sec {samples/s}  "
                "Train throughput/tokens_per_sec {tokens/s}  "
                "Train throughput/device/tokens_per_sec {tokens/s/gpu}  "
                "Train throughput/device/flops_per_sec {FLOP/s/gpu}  "
                "Train throughput/device/mfu {peak}",
                "batch="},
    StepDialect{"OLMo", "throughput/device/",
                "[step={step}  throughput/total_tokens {tokens}  throughput/total tokens {tokens}  "
                "throughput/device/batches_per_second {steps/s}  throughput/device/BPS {steps/s}  "
                "throughput/device/tokens_per_second {tokens/s/gpu}  "
                "throughput/device/TPS {tokens/s/gpu}  throughput/device/MFU {%peak}",
                "[step="},
    // Keys of custom programs, of wandb and of TensorBoard, after any prefix that ends in a slash.
    // Python prints them in single quotes. A `throughput` has no unit and is not read.
    StepDialect{"JSON or Python dicts with step_time", "{",
                R"(step":{step}  global_step":{step}  _step":{step}  iteration":{step}  )"
                R"(iter":{step}  max_steps":{steps}  total_steps":{steps}  )"
                R"(step_time":{s}  step_time_s":{s}  step_time_sec":{s}  step_time_ms":{ms}  )"
                R"(iter_time":{s}  iter_time_s":{s}  iter_time_ms":{ms}  )"
                R"(iteration_time":{s}  iteration_time_ms":{ms}  time_per_step":{s}  )"
                R"(time_per_iteration":{s}  time_per_iteration_ms":{ms}  )"
                R"(seconds_per_step":{s}  ms_per_step":{ms}  )"
                R"(steps_per_second":{steps/s}  steps_per_sec":{steps/s}  )"
                R"(samples_per_second":{samples/s}  samples_per_sec":{samples/s}  )"
                R"(tokens_per_second":{tokens/s}  tokens_per_sec":{tokens/s}  )"
                R"(tokens_per_second_per_gpu":{tokens/s/gpu}  )"
                R"(tokens_per_sec_per_gpu":{tokens/s/gpu}  )"
                R"(consumed_samples":{samples}  consumed_tokens":{tokens}  )"
                R"(global_batch_size":{samples/step})",
                "", StepNeeds::TimeOrObject}};

}  // namespace

std::span<const StepDialect> step_dialects() { return dialects; }

}  // namespace formats
}  // namespace tofn
