#pragma once

#include <cstddef>
#include <string_view>
#include <tuple>

#include "sim/formats/step_logs/step_log.hpp"
#include "sim/formats/text/log_text.hpp"

namespace tofn {
inline namespace formats {

/// A size of a run: the option that states it, its names as a column, and its words in dumps of
/// arguments.
template <class T>
struct SizeRow {
  const char* option;        ///< empty if none states it
  std::string_view columns;  ///< separated by blanks, the first one for messages
  std::string_view dumped;   ///< separated by two blanks
  std::optional<T> LoggedSizes::*logged;
  std::optional<T> StepHints::*hint = nullptr;
};
inline constexpr std::tuple size_rows{
    // Words of Megatron-LM, Lightning (`Starting with 16 processes`), MaxText and GPT-NeoX.
    SizeRow<int>{"--accelerators", "accelerators gpus n",
                 "world_size  world size  Starting with  Num_devices  global_num_gpus",
                 &LoggedSizes::accelerators, &StepHints::accelerators},
    // Words of NeMo, MaxText, DeepSpeed and Hugging Face's Trainer.
    SizeRow<double>{"--batch", "batch global_batch global_batch_size gbs",
                    "global_batch_size  global batch size  global_batch_size_to_train_on  "
                    "train_batch_size  distributed & accumulation)",
                    &LoggedSizes::global_batch, &StepHints::global_batch},
    // Words of Megatron-LM, GPT-NeoX, torchtitan and nanotron, as of the next two.
    SizeRow<int>{"--tp", "tp tensor_parallel tensor_parallel_size",
                 "tensor_model_parallel_size  tensor-model-parallel size  model_parallel_size  tp",
                 &LoggedSizes::tensor_parallel_size, &StepHints::tensor_parallel_size},
    SizeRow<int>{"--pp", "pp pipeline_parallel pipeline_parallel_size",
                 "pipeline_model_parallel_size  pipeline-model-parallel size  pipe_parallel_size  "
                 "pp",
                 &LoggedSizes::pipeline_parallel_size, &StepHints::pipeline_parallel_size},
    SizeRow<int>{"--cp", "cp context_parallel context_parallel_size",
                 "context_parallel_size  context-parallel size  cp",
                 &LoggedSizes::context_parallel_size, &StepHints::context_parallel_size},
    SizeRow<int>{"--grad-accum",
                 "grad_accum ga accumulation gradient_accumulation gradient_accumulation_steps",
                 "gradient_accumulation_steps  gradient accumulation steps  "
                 "Gradient Accumulation steps",
                 &LoggedSizes::gradient_accumulation, &StepHints::gradient_accumulation},
    SizeRow<double>{"--sequence-length", "sequence_length seq_length seq_len",
                    "seq_length  encoder_seq_length  sequence_length  sequence length  "
                    "max_target_length",
                    &LoggedSizes::sequence_length, &StepHints::sequence_length},
    SizeRow<double>{"--micro-batch", "micro_batch micro_batch_size mbs",
                    "micro_batch_size  train_micro_batch_size_per_gpu  batch size per device",
                    &LoggedSizes::micro_batch, &StepHints::micro_batch},
    SizeRow<int>{"", "", "num_nodes", &LoggedSizes::nodes},
    SizeRow<int>{"", "", "devices", &LoggedSizes::per_node},
    SizeRow<double>{"", "", "local batch size", &LoggedSizes::local_batch},
    SizeRow<double>{"", "", "tokens per iteration will be", &LoggedSizes::tokens}};  // nanoGPT

/// Calls `f` with the row of each size.
template <class F>
void each_size(const F& f) {
  std::apply([&](const auto&... row) { (f(row), ...); }, size_rows);
}

/// Reads a line of a dump of arguments (`tensor_model_parallel_size ..... 8`, `devices: 8`); the
/// first line that states a size counts.
void take_sizes(const LogLine&, LoggedSizes&);

/// Fills sizes that are absent with the others.
void fill_sizes(LoggedSizes&, const LoggedSizes& others);

/// True if both state a size that an option could state, and differ.
bool differ(const LoggedSizes&, const LoggedSizes&);

/// Fills sizes that the log does not state with hints. InputError if both state a size and differ.
void apply_hints(const LogText&, const LogLine&, const StepHints&, LoggedSizes&);

}  // namespace formats
}  // namespace tofn
