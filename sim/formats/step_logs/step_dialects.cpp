// Programs that print their steps, a row each.
#include <array>

#include "sim/formats/step_logs/step_line.hpp"

namespace tofn {
inline namespace formats {
namespace {

using L = StepLine;
constexpr double milli = 1e-3;
constexpr double tera = 1e12;
constexpr double percent = 1e-2;

/// Megatron-LM, Megatron-DeepSpeed and GPT-NeoX.
constexpr std::array megatron{LineFigure{"iteration", &L::iteration},
                              LineFigure{"elapsed time per iteration (ms)", &L::seconds, milli},
                              LineFigure{"elapsed time per iteration (s)", &L::seconds},
                              LineFigure{"consumed samples", &L::samples},
                              LineFigure{"global batch size", &L::global_batch},
                              LineFigure{"samples/sec", &L::samples_rate},
                              LineFigure{"samples per second", &L::samples_rate},
                              LineFigure{"tokens per gpu per second (tgs)", &L::tokens_rate_each},
                              LineFigure{"tokens per GPU (tokens/s/GPU)", &L::tokens_rate_each},
                              LineFigure{"throughput per GPU (TFLOP/s/GPU)", &L::flops_each, tera},
                              LineFigure{"approx flops per GPU", &L::flops_each, tera},
                              LineFigure{"TFLOPs", &L::flops_each, tera}};
constexpr std::array nemo{LineFigure{"global_step", &L::iteration},
                          LineFigure{"iteration", &L::iteration},
                          LineFigure{"train_step_timing in s", &L::seconds},
                          LineFigure{"consumed_samples", &L::samples},
                          LineFigure{"global_batch_size", &L::global_batch},
                          LineFigure{"tokens_per_sec_per_gpu", &L::tokens_rate_each},
                          LineFigure{"TFLOPS_per_GPU", &L::flops_each, tera}};
constexpr std::array nanotron{LineFigure{"iteration", &L::iteration},
                              LineFigure{"elapsed_time_per_iteration_ms", &L::seconds, milli},
                              LineFigure{"time_per_iteration_ms", &L::seconds, milli},
                              LineFigure{"tokens_per_sec", &L::tokens_rate},
                              LineFigure{"tokens_per_sec_per_gpu", &L::tokens_rate_each},
                              LineFigure{"global_batch_size", &L::global_batch},
                              LineFigure{"model_tflops_per_gpu", &L::flops_each, tera}};
constexpr std::array maxtext{
    LineFigure{"completed step", &L::iteration}, LineFigure{"seconds", &L::seconds},
    LineFigure{"TFLOP/s/device", &L::flops_each, tera},
    LineFigure{"Tokens/s/device", &L::tokens_rate_each}, LineFigure{"total_weights", &L::tokens}};
constexpr std::array torchtitan{
    LineFigure{"step", &L::iteration}, LineFigure{"tps", &L::tokens_rate_each},
    LineFigure{"wps", &L::tokens_rate_each},  // until the end of 2024
    LineFigure{"tflops", &L::flops_each, tera}, LineFigure{"mfu", &L::utilisation, percent}};
constexpr std::array deepspeed{LineFigure{"global_step", &L::iteration},
                               LineFigure{"CurrSamplesPerSec", &L::samples_rate}};
constexpr std::array deepspeed_pipeline{LineFigure{"steps", &L::iteration},
                                        LineFigure{"iter time (s)", &L::seconds},
                                        LineFigure{"samples/sec", &L::samples_rate}};
constexpr std::array nano_gpt{LineFigure{"iter", &L::iteration},
                              LineFigure{"time", &L::seconds, milli},
                              LineFigure{"mfu", &L::utilisation, percent}};
constexpr std::array modded_nano_gpt{LineFigure{"step", &L::iteration},
                                     LineFigure{"step_avg", &L::seconds, milli}};
/// Figures of llm.c, in C and in Python.
constexpr std::array llm_c{LineFigure{"step", &L::iteration},
                           LineFigure{" ms |", &L::seconds, milli, true},
                           LineFigure{" tok/s", &L::tokens_rate, 1, true}};
/// Figures of `dt: 330.12ms | tok/sec: 1588`; nanochat also prints the multiplier of its learning
/// rate.
constexpr std::array nanochat{
    LineFigure{"step", &L::iteration}, LineFigure{"dt", &L::seconds, milli},
    LineFigure{"tok/sec", &L::tokens_rate}, LineFigure{"mfu", &L::utilisation, percent}};
/// Figures of `iter 128 step 8`, whose time is of one micro-batch.
constexpr std::array litgpt{LineFigure{"step", &L::iteration}, LineFigure{"iter", &L::passes},
                            LineFigure{"iter time", &L::seconds, milli}};
constexpr std::array torchtune{LineFigure{"Step", &L::iteration},
                               LineFigure{"tokens_per_second_per_gpu", &L::tokens_rate_each}};
/// Figures of `tps 98765.43(12345.68/gpu)`.
constexpr std::array automodel{LineFigure{"step", &L::iteration},
                               LineFigure{"tps", &L::tokens_rate},
                               LineFigure{"/gpu)", &L::tokens_rate_each, 1, true}};
constexpr std::array lingua{LineFigure{"step", &L::iteration},
                            LineFigure{"wps", &L::tokens_rate_each}};
constexpr std::array picotron{
    LineFigure{"Step", &L::iteration}, LineFigure{"Tokens/s:", &L::tokens_rate},
    LineFigure{"Tokens/s/GPU", &L::tokens_rate_each}, LineFigure{"MFU", &L::utilisation, percent}};
/// Figures of fairseq and metaseq (OPT), whose lines are JSON. `ups` has two decimals, too few for
/// a step's time.
constexpr std::array fairseq{LineFigure{"num_updates", &L::iteration},
                             LineFigure{"wps", &L::tokens_rate}, LineFigure{"wpb", &L::tokens},
                             LineFigure{"bsz", &L::global_batch}};
constexpr std::array internevo{LineFigure{"step", &L::iteration},
                               LineFigure{"tgs (tokens/gpu/second)", &L::tokens_rate_each},
                               LineFigure{"num_consumed_tokens", &L::tokens_trained},
                               LineFigure{"tflops", &L::flops_each, tera}};
constexpr std::array swift{LineFigure{"global_step/max_steps", &L::iteration},
                           LineFigure{"train_speed(iter/s)", &L::steps_rate},
                           LineFigure{"train_speed(s/it)", &L::seconds}};
constexpr std::array paddle{
    LineFigure{"global_step", &L::iteration},
    LineFigure{"interval_steps_per_second", &L::steps_rate},
    LineFigure{"interval_samples_per_second", &L::samples_rate},
    LineFigure{"interval_tokens_per_second_per_device", &L::tokens_rate_each}};
constexpr std::array mindformers{LineFigure{"step:[", &L::iteration},
                                 LineFigure{"per_step_time", &L::seconds, milli},
                                 LineFigure{"train_throughput_per_npu", &L::flops_each, tera}};
constexpr std::array fms_fsdp{LineFigure{"step", &L::iteration},
                              LineFigure{"tokens seen", &L::tokens_trained},
                              LineFigure{"current step time", &L::seconds},
                              LineFigure{"current token per gpu per sec", &L::tokens_rate_each}};
/// Figures of Composer; the batch counts within its epoch if the run's length is in epochs.
constexpr std::array composer{
    LineFigure{"batch=", &L::iteration},
    LineFigure{"Train time/sample", &L::samples},
    LineFigure{"Train time/token", &L::tokens_trained},
    LineFigure{"Train throughput/batches_per_sec", &L::steps_rate},
    LineFigure{"Train throughput/samples_per_sec", &L::samples_rate},
    LineFigure{"Train throughput/tokens_per_sec", &L::tokens_rate},
    LineFigure{"Train throughput/device/tokens_per_sec", &L::tokens_rate_each},
    LineFigure{"Train throughput/device/flops_per_sec", &L::flops_each},
    LineFigure{"Train throughput/device/mfu", &L::utilisation}};
constexpr std::array olmo{LineFigure{"[step=", &L::iteration},
                          LineFigure{"throughput/total_tokens", &L::tokens_trained},
                          LineFigure{"throughput/total tokens", &L::tokens_trained},
                          LineFigure{"throughput/device/batches_per_second", &L::steps_rate},
                          LineFigure{"throughput/device/BPS", &L::steps_rate},
                          LineFigure{"throughput/device/tokens_per_second", &L::tokens_rate_each},
                          LineFigure{"throughput/device/TPS", &L::tokens_rate_each},
                          LineFigure{"throughput/device/MFU", &L::utilisation, percent}};

/// Keys of custom programs that print a line per step, and of wandb and TensorBoard, after any
/// prefix that ends in a slash. Python prints them in single quotes. A `throughput` has no unit and
/// is not read.
constexpr std::array json_lines{LineFigure{"step\":", &L::iteration},
                                LineFigure{"global_step\":", &L::iteration},
                                LineFigure{"_step\":", &L::iteration},
                                LineFigure{"iteration\":", &L::iteration},
                                LineFigure{"iter\":", &L::iteration},
                                LineFigure{"max_steps\":", &L::iterations},
                                LineFigure{"total_steps\":", &L::iterations},
                                LineFigure{"step_time\":", &L::seconds},
                                LineFigure{"step_time_s\":", &L::seconds},
                                LineFigure{"step_time_sec\":", &L::seconds},
                                LineFigure{"step_time_ms\":", &L::seconds, milli},
                                LineFigure{"iter_time\":", &L::seconds},
                                LineFigure{"iter_time_s\":", &L::seconds},
                                LineFigure{"iter_time_ms\":", &L::seconds, milli},
                                LineFigure{"iteration_time\":", &L::seconds},
                                LineFigure{"iteration_time_ms\":", &L::seconds, milli},
                                LineFigure{"time_per_step\":", &L::seconds},
                                LineFigure{"time_per_iteration\":", &L::seconds},
                                LineFigure{"time_per_iteration_ms\":", &L::seconds, milli},
                                LineFigure{"seconds_per_step\":", &L::seconds},
                                LineFigure{"ms_per_step\":", &L::seconds, milli},
                                LineFigure{"steps_per_second\":", &L::steps_rate},
                                LineFigure{"steps_per_sec\":", &L::steps_rate},
                                LineFigure{"samples_per_second\":", &L::samples_rate},
                                LineFigure{"samples_per_sec\":", &L::samples_rate},
                                LineFigure{"tokens_per_second\":", &L::tokens_rate},
                                LineFigure{"tokens_per_sec\":", &L::tokens_rate},
                                LineFigure{"tokens_per_second_per_gpu\":", &L::tokens_rate_each},
                                LineFigure{"tokens_per_sec_per_gpu\":", &L::tokens_rate_each},
                                LineFigure{"consumed_samples\":", &L::samples},
                                LineFigure{"consumed_tokens\":", &L::tokens_trained},
                                LineFigure{"global_batch_size\":", &L::global_batch}};

constexpr std::array dialects{
    StepDialect{"Megatron-LM", "elapsed time per iteration (", megatron},
    StepDialect{"NeMo", "train_step_timing in s", nemo, true},
    StepDialect{"nanotron", "time_per_iteration_ms:", nanotron},
    StepDialect{"MaxText", "completed step:", maxtext},
    StepDialect{"lingua", "  wps: ", lingua},
    StepDialect{"torchtitan", "tps:", torchtitan},
    StepDialect{"torchtitan", "wps:", torchtitan},
    StepDialect{"DeepSpeed's pipeline", "iter time (s):", deepspeed_pipeline},
    StepDialect{"DeepSpeed", "CurrSamplesPerSec=", deepspeed},
    StepDialect{"modded-nanogpt", "step_avg:", modded_nano_gpt},
    StepDialect{"nanochat", "| lrm:", nanochat},
    StepDialect{"build-nanogpt", "tok/sec:", nanochat},
    StepDialect{"llm.c", " tok/s", llm_c},
    StepDialect{"nanoGPT", ", time ", nano_gpt},
    StepDialect{"LitGPT", "iter time:", litgpt},
    StepDialect{"torchtune", "tokens_per_second_per_gpu:", torchtune},
    StepDialect{"NeMo AutoModel", "/gpu)", automodel},
    StepDialect{"picotron", "Tokens/s/GPU:", picotron},
    StepDialect{"fairseq", "num_updates", fairseq},
    StepDialect{"InternEvo", "tgs (tokens/gpu/second)=", internevo},
    StepDialect{"ms-swift", "train_speed(", swift},
    StepDialect{"PaddleNLP", "interval_steps_per_second:", paddle},
    StepDialect{"MindFormers", "per_step_time:", mindformers},
    StepDialect{"FMS-FSDP", "current step time:", fms_fsdp, false, "step:"},
    StepDialect{"Composer", "Train throughput/", composer, false, "batch="},
    StepDialect{"OLMo", "throughput/device/", olmo, false, "[step="},
    StepDialect{"JSON or Python dicts with step_time", "{", json_lines, false, {}, true}};

}  // namespace

std::span<const StepDialect> step_dialects() { return dialects; }

}  // namespace formats
}  // namespace tofn
