#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/parallelism/run_settings.hpp"

namespace tofn {
inline namespace published {

/// Facts of a published row that are known before the run starts. Predictions take this type, which
/// has no outcome, so that they cannot read one. Absent: not stated.
struct RowInputs {
  Location location;
  std::optional<double> round{};  ///< such as 4.1 of `v4.1`
  std::string benchmark;
  std::string organisation;
  std::string system;
  std::string accelerator;
  std::optional<int> nodes;
  std::optional<int> accelerators_per_node;
  int accelerators = 0;
  std::optional<int> runs;
  double global_batch = 0;
  std::optional<int> gradient_accumulation;
  std::optional<int> tensor_parallel_size, pipeline_parallel_size, context_parallel_size;
  std::optional<int> chunks_per_stage;
  RunSettings settings;
  std::optional<int> nics_per_node;
  std::optional<double> nic_gbps;
  std::string unknown{};  ///< stated but unknown to this program: `unknown precision 'X'`
};

/// Measured outcome of a published row.
struct RowOutcome {
  std::optional<double> official_minutes;
  std::optional<double> unscaled_minutes;
  std::optional<double> samples;
  std::optional<double> samples_deviation;
  std::optional<double> step_ms;
  std::optional<double> startup_seconds;
  std::optional<double> evaluation_exposed_minutes;
  std::optional<double> evaluations;
};

struct PublishedRow {
  RowInputs inputs;
  RowOutcome outcome;

  /// Contradiction between the row's own numbers; empty if there is none.
  std::string contradiction() const;
  /// `organisation/system`
  std::string full_name() const { return inputs.organisation + '/' + inputs.system; }
};

/// Reads a table with the columns of configs/published/*.csv. Required: benchmark, org, system,
/// accelerator, accelerators, global_batch_size. Other columns may be missing; unknown ones go to
/// `notes`, a line each, and are refused if that is null. InputError at the first bad cell of a row
/// that is not `unknown`.
std::vector<PublishedRow> read_published_table(const std::filesystem::path&,
                                               std::vector<std::string>* notes = nullptr);

/// True if two rows report the same runs (an outcome repeated to every digit): a resubmission, or a
/// power variant of the same result.
bool same_runs(const PublishedRow&, const PublishedRow&);

}  // namespace published
}  // namespace tofn
