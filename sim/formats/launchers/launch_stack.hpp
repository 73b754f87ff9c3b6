#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/formats/launchers/launch_values.hpp"
#include "sim/formats/launchers/load_launcher.hpp"
#include "sim/model/model.hpp"

namespace tofn {
inline namespace formats {

/// Training as a launch file states it, in terms of a plan.
struct LaunchedTraining {
  bool has_other_program = false;  ///< nothing shows the program that the launcher's stack is of
  std::string model{};             ///< name in configs/models; empty if the file names none of them
  std::optional<Model> own_model{};  ///< from the dimensions that the file states
  Plan plan{};                       ///< with all sizes
  int accelerators_per_node = 8;
  bool is_tpu = false;  ///< true if it runs on TPUs, whose pods have no nodes
  std::optional<int> sequence_length{};
  std::optional<long long> steps{};
  std::optional<std::string> rotary_base{};   ///< the model's, as its file writes it
  std::optional<std::string> norm_epsilon{};  ///< the model's, as its file writes it
  /// Meaning of the model's `recompute: selective`; absent if the file does not state it.
  std::optional<SelectiveRecompute> selective{};
};

/// Number of processes to launch, and what the caller states in addition to the file.
struct LaunchSize {
  std::optional<int> accelerators{};
  int accelerators_per_node = 8;
  /// True if the caller names a model, which replaces the file's.
  bool names_model = false;
  /// True if the caller states the run's length, which replaces the file's steps.
  bool states_length = false;
  bool states_precision = false;  ///< likewise for the precision of products
  /// Samples that the caller states, which replace the file's and what it leaves to the program.
  std::optional<long long> batch{}, micro_batch{}, accumulation{};

  /// The requested accumulation; none if another size of the batch is requested, so that it follows
  /// from that.
  std::optional<long long> accumulation_beside_batch() const {
    if (accumulation || !(batch || micro_batch)) return accumulation;
    return 0;
  }
};

/// Code of a launcher beside its file in configs: a row of `launch_codes`. Functions that it does
/// not need are null.
struct LaunchCode {
  std::string_view launcher;
  /// Converts values to a training. If null, the launchers that its file is based on supply it.
  LaunchedTraining (*to_training)(const LaunchValues&, const LaunchSize&) = nullptr;
  /// Renames the file's keys to those of the launcher. If null, the launcher's renames alone apply.
  LaunchFile (*as_flags)(const LaunchFile&, const Launcher&) = nullptr;
  /// Sets the values of a training. If null, files are only read.
  void (*from_training)(const LaunchedTraining&, LaunchValues&) = nullptr;
  /// Writes the text that the program takes.
  std::string (*write)(const LaunchedTraining&, std::span<const LaunchSetting>) = nullptr;
  /// Lists what a training needs besides its plan and its model's dimensions, a phrase each; the
  /// written files leave it out.
  std::vector<std::string> (*unstated)(const LaunchedTraining&) = nullptr;
};

/// Returns the launcher of that name whose files are read. Throws InputError with the valid names.
const Launcher& launcher_named(const std::filesystem::path& configs, std::string_view name);
/// Names of the launchers whose files can also be written.
std::vector<std::string> written_launchers();
/// Phrase for messages about files that are not read: `those of torchtitan, maxtext and megatron-lm
/// are`.
std::string read_launchers(const std::filesystem::path& configs);
/// Launcher whose marks the file has; null if it has the marks of none. InputError if a YAML or
/// JSON file has the marks of known software whose files are not read.
const Launcher* launcher_of(const std::filesystem::path& configs, const LaunchFile&);

struct LaunchReading {
  LaunchedTraining training{};
  /// Unknown values of the file, and keys that the launcher does not have.
  std::vector<LaunchUnknown> not_understood{};
  /// Accelerators that the file states, if the caller requested another number.
  std::optional<int> other_size{};
};

/// Reads the training that a file of the launcher starts. The accelerators of `request` replace the
/// file's, and its accelerators per node apply if the file states none. InputError if neither
/// states the number of accelerators, or if no plan can express what the file states.
LaunchReading read_training(const LaunchFile&, const Launcher&, const LaunchSize& request);

struct LaunchWriting {
  std::string text{};
  /// Parts of the plan that the launcher's keys do not express.
  std::vector<std::string> left_out{};
  std::vector<std::string> unstated{};  ///< phrases of `LaunchCode::unstated`
};
/// Writes a launch file. Throws InputError if the launcher's files are only read, or if they have
/// no key for a kind of rank that the plan has.
LaunchWriting write_training(const LaunchedTraining&, const Launcher&);

// Functions that launchers share.
/// Number of data-parallel ranks: accelerators divided by the other sizes. InputError at `key` if
/// they do not divide.
int rest_of(const LaunchValues&, std::string_view key, int accelerators,
            std::initializer_list<long long> sizes);
/// Sets how parameters are sharded: over `shard` ranks, each shard copied to `replicate` ranks.
/// InputError at `key` if their product is not the data-parallel size.
void set_sharding(const LaunchValues&, std::string_view key, long long replicate, long long shard,
                  int accelerators_per_node, LaunchedTraining&);
/// Quotient of two whole numbers. InputError at `key` if the divisor does not divide the dividend.
int quotient_of(const LaunchValues&, std::string_view key, long long dividend, long long divisor);
/// Tokens of a sample. InputError at `key` if they are below 1 or exceed an int.
int length_of(const LaunchValues&, std::string_view key);
/// Product of the factors. InputError at `key` if it overflows 63 bits.
long long product_of(const LaunchValues&, std::string_view key,
                     std::initializer_list<long long> factors);
/// Accelerators of the job: those that the launcher states, else the product of the sizes if none
/// of them is left open (-1). InputError at `key` if neither tells.
int accelerators_of(const LaunchValues&, std::string_view key, const LaunchSize&,
                    const std::vector<long long>& sizes);
/// A training by the values that rows set, on the accelerators that the launcher states, all of
/// them replicas until sizes are read. InputError at `key` if it states none.
LaunchedTraining training_on(const LaunchValues&, const LaunchSize&, std::string_view key);
/// Sets the micro-batches of a replica's step. InputError at `key` if they are not 1 to 1000000.
void set_accumulation(const LaunchValues&, std::string_view key, long long micro_batches, Plan&);

/// Value that a key of a settings file and a flag both state; the flag's if it is stated.
/// InputError if both are stated and differ.
long long agreed(const LaunchValues&, std::string_view key, std::string_view flag);
/// Sets what ZeRO's stage at `key` shards, and DeepSpeed's default for the overlap of its traffic.
void set_zero_stage(const LaunchValues&, std::string_view key, long long stage, Plan&);

/// True if the file has a key that begins with `start`.
bool has_key(const LaunchFile&, std::string_view start);
/// Returns the file with its keys replaced by the rows that `LaunchName`s give. If a key has
/// several, each one whose value matches adds a setting, and `null` matches all. Throws InputError
/// if a value is none of those that its key may have.
LaunchFile renamed(const LaunchFile&, std::span<const LaunchName>);

/// Number of accelerators on which the process launcher starts, if the file states it. A file that
/// states no nodes is assumed to use one.
LaunchSize launcher_size(const LaunchFile&, int accelerators_per_node);
/// True if the key is an option of a process launcher, its program, or an argument.
bool is_launchers(std::string_view key);
/// Words that start the processes: `torchrun --nproc_per_node 8 --nnodes 4`, `deepspeed --num_gpus
/// 8 --num_nodes 4`.
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

}  // namespace formats
}  // namespace tofn
