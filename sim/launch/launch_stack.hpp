#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/name_table.hpp"
#include "sim/launch/launch_values.hpp"
#include "sim/model/model.hpp"

namespace tofn {
inline namespace launch {

/// A training as a launch file states it, in the words of a plan.
struct LaunchedTraining {
  std::string model{};  ///< of configs/models; empty: the file names none that is known there
  std::optional<Model> own_model{};  ///< by the dimensions that the file states
  Plan plan{};                       ///< with all its sizes
  int accelerators_per_node = 8;
  bool is_tpu = false;  ///< whose pods have no nodes
  std::optional<int> sequence_length{};
  std::optional<long long> steps{};
  std::optional<std::string> rotary_base{};   ///< of the model, as its file writes it
  std::optional<std::string> norm_epsilon{};  ///< likewise
  /// What the model's `recompute: selective` is, where the file says it.
  std::optional<SelectiveRecompute> selective{};
};

/// Who launches how many processes, and what else the caller says beside the file.
struct LaunchSize {
  std::optional<int> accelerators{};
  int accelerators_per_node = 8;
  bool names_model = false;    ///< that goes before the file's
  bool states_length = false;  ///< of the run, before the file's steps
};

/// Software whose launch files are read and written: a row of `launch_stacks`.
struct LaunchStack {
  std::string_view name;
  std::string_view stack;    ///< of configs/stacks, which runs it
  std::string_view version;  ///< repository and commit that `source` of its keys is of
  std::span<const LaunchKey> keys;
  /// Starts of keys that tell nothing of a step's time: logs, data, learning rates.
  std::span<const std::string_view> passed_over;
  bool (*is_of)(const LaunchFile&);
  LaunchedTraining (*to_training)(const LaunchValues&, const LaunchSize&);
  void (*from_training)(const LaunchedTraining&, LaunchValues&) = nullptr;  ///< none: read only
  /// The files as their program takes them.
  std::string (*write)(const LaunchedTraining&, std::span<const LaunchSetting>) = nullptr;
  /// What a training needs beside its plan and its model's dimensions, a phrase each; the written
  /// files leave it out.
  std::vector<std::string> (*unstated)(const LaunchedTraining&) = nullptr;
  /// The file under the names of `keys`, where its own are others.
  LaunchFile (*as_flags)(const LaunchFile&) = nullptr;
};

std::span<const LaunchStack* const> launch_stacks();
/// Throws InputError with the valid names.
const LaunchStack& launch_stack_named(std::string_view name);
/// `those of torchtitan, maxtext and megatron-lm are`, for a sentence about files that are not
/// read.
std::string read_launchers();
/// The stack that the file is of; nothing where its keys are none's. InputError where they are of
/// software that is known, and not read.
const LaunchStack* launch_stack_of(const LaunchFile&);

struct LaunchReading {
  LaunchedTraining training{};
  std::vector<LaunchUnknown> not_understood{};  ///< of the file, and keys that nobody knows
  std::optional<int> other_size{};  ///< accelerators of the file, where others were asked for
};

/// What a file of the stack launches. The accelerators of `asked` go before those of the file, its
/// nodes count where the file has none. InputError where neither says how many, and at what no
/// plan expresses.
LaunchReading read_training(const LaunchFile&, const LaunchStack&, const LaunchSize& asked);

struct LaunchWriting {
  std::string text{};
  std::vector<std::string> left_out{};  ///< of the plan, what the stack's keys do not express
  std::vector<std::string> unstated{};  ///< `LaunchStack::unstated`
};
/// Throws InputError where the stack's files are only read, and where they have no key for a kind
/// of rank that the plan has.
LaunchWriting write_training(const LaunchedTraining&, const LaunchStack&);

// What stacks have in common.
/// Data-parallel ranks: accelerators by the other sizes. InputError at `key` where they do not
/// divide.
int rest_of(const LaunchValues&, std::string_view key, int accelerators,
            std::initializer_list<long long> sizes);
/// Shards over `shard` ranks, each copied to `replicate`: over all, within a node, or none.
void set_sharding(const LaunchValues&, std::string_view key, long long replicate, long long shard,
                  int accelerators_per_node, LaunchedTraining&);
/// One of whole numbers by another. InputError at `key` where it does not divide.
int quotient_of(const LaunchValues&, std::string_view key, long long dividend, long long divisor);
/// Tokens of a sample. InputError at `key` where they are below 1 or no int.
int length_of(const LaunchValues&, std::string_view key);
/// InputError at `key` where the product has more than 63 bits.
long long product_of(const LaunchValues&, std::string_view key,
                     std::initializer_list<long long> factors);
/// Micro-batches of a replica's step. InputError at `key` where they are not 1 to 1000000.
void set_accumulation(const LaunchValues&, std::string_view key, long long micro_batches, Plan&);

/// One thing that a file of settings and a flag both say: they must agree where both do.
long long agreed(const LaunchValues&, std::string_view key, std::string_view flag);
/// What ZeRO's stage at `key` shards, and whether DeepSpeed overlaps it where nothing says so.
void set_zero_stage(const LaunchValues&, std::string_view key, long long stage, Plan&);

/// The name of a value in a stack's table of names; where it has none the first, which
/// `write_training` tells as left out.
template <class E, std::size_t N>
std::string_view name_or_first(const std::array<std::pair<std::string_view, E>, N>& names,
                               E value) {
  const std::string_view name = name_in(names, value);
  return name.empty() ? names.front().first : name;
}

/// Whether a file has a key that starts so, or a program of that name.
bool has_key(const LaunchFile&, std::string_view start);
bool has_program(const LaunchFile&, std::string_view start);
/// `torchrun --nproc_per_node 8 --nnodes 4`, `deepspeed --num_gpus 8 --num_nodes 4`
std::vector<std::string> launcher_words(const LaunchedTraining&, std::string_view launcher);

extern const LaunchStack torchtitan_stack;
extern const LaunchStack torchtitan_registry_stack;
extern const LaunchStack composer_stack;
extern const LaunchStack fms_stack;
extern const LaunchStack accelerate_stack;
extern const LaunchStack maxtext_stack;
extern const LaunchStack deepspeed_stack;
extern const LaunchStack megatron_stack;
extern const LaunchStack nemo_stack;
extern const LaunchStack neox_stack;
extern const LaunchStack primus_stack;
extern const LaunchStack primus_titan_stack;

}  // namespace launch
}  // namespace tofn
