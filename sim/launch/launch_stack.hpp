#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/load_launcher.hpp"
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

/// Code of a launcher beside its file of configs: a row of `launch_codes`. What is null is not
/// needed.
struct LaunchCode {
  std::string_view launcher;
  /// Without it that of the launcher that its file is based on counts.
  LaunchedTraining (*to_training)(const LaunchValues&, const LaunchSize&) = nullptr;
  /// The file under the names of the launcher's keys; else its renames alone give them.
  LaunchFile (*as_flags)(const LaunchFile&, const Launcher&) = nullptr;
  void (*from_training)(const LaunchedTraining&, LaunchValues&) = nullptr;  ///< none: read only
  /// The files as their program takes them.
  std::string (*write)(const LaunchedTraining&, std::span<const LaunchSetting>) = nullptr;
  /// What a training needs beside its plan and its model's dimensions, a phrase each; the written
  /// files leave it out.
  std::vector<std::string> (*unstated)(const LaunchedTraining&) = nullptr;
};

/// Throws InputError with the valid names.
const Launcher& launcher_named(const std::filesystem::path& configs, std::string_view name);
/// Names of launchers whose files are written too.
std::vector<std::string> written_launchers();
/// `those of torchtitan, maxtext and megatron-lm are`, for a sentence about files that are not
/// read.
std::string read_launchers(const std::filesystem::path& configs);
/// The launcher that the file is of; nothing where it has the marks of none. InputError where it
/// has those of software that is known, and not read.
const Launcher* launcher_of(const std::filesystem::path& configs, const LaunchFile&);

struct LaunchReading {
  LaunchedTraining training{};
  std::vector<LaunchUnknown> not_understood{};  ///< of the file, and keys that nobody knows
  std::optional<int> other_size{};  ///< accelerators of the file, where others were asked for
};

/// What a file of the launcher launches. The accelerators of `asked` go before those of the file,
/// its nodes count where the file has none. InputError where neither says how many, and at what no
/// plan expresses.
LaunchReading read_training(const LaunchFile&, const Launcher&, const LaunchSize& asked);

struct LaunchWriting {
  std::string text{};
  std::vector<std::string> left_out{};  ///< of the plan, what the stack's keys do not express
  std::vector<std::string> unstated{};  ///< `LaunchCode::unstated`
};
/// Throws InputError where the launcher's files are only read, and where they have no key for a
/// kind of rank that the plan has.
LaunchWriting write_training(const LaunchedTraining&, const Launcher&);

// What launchers have in common.
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

/// Whether a file has a key that starts so.
bool has_key(const LaunchFile&, std::string_view start);
/// `torchrun --nproc_per_node 8 --nnodes 4`, `deepspeed --num_gpus 8 --num_nodes 4`
std::vector<std::string> launcher_words(const LaunchedTraining&, std::string_view launcher);

extern const LaunchCode torchtitan_code;
extern const LaunchCode torchtitan_registry_code;
extern const LaunchCode composer_code;
extern const LaunchCode fms_code;
extern const LaunchCode accelerate_code;
extern const LaunchCode maxtext_code;
extern const LaunchCode deepspeed_code;
extern const LaunchCode megatron_code;
extern const LaunchCode nemo_code;
extern const LaunchCode neox_code;
extern const LaunchCode primus_code;
extern const LaunchCode primus_titan_code;

}  // namespace launch
}  // namespace tofn
