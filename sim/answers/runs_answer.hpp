#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/answers/typical_hours.hpp"
#include "sim/config/library.hpp"
#include "sim/core/accuracy.hpp"
#include "sim/training/run_estimate.hpp"

namespace tofn {
inline namespace answers {

/// A published training run of a dense language model with its prediction; hours are
/// accelerator-hours of the whole run.
struct PublishedRun {
  std::string name;
  std::string accelerator;
  std::string use;  ///< `time`, `time+plan` if dimensions and accelerators are stated, `steps`
  int accelerators = 0;
  RunHours hours;           ///< simulated ones include the default interruptions
  TypicalHours typical;     ///< fitted to other families' runs
  double pooled_hours = 0;  ///< by one utilisation for all runs
  /// Hours by the median utilisation of other families' runs on that chip; absent if there are
  /// none.
  std::optional<double> baseline_hours;
  double goodput = 0;                ///< simulated
  std::vector<RunSample> samples{};  ///< without an overrun
  double fastest =
      0;  ///< time if steps are at the low end of their 90 % interval, over the expected time
  /// Overrun fitted to other families' runs, relative to their simulated hours.
  Overrun overrun = no_overrun;
  std::string plan;
  std::string hours_hold;            ///< content besides passes over tokens; empty: unknown
  std::vector<std::string> assumed;  ///< values that the table does not state
  std::string skipped_because;       ///< empty if it is predicted
  Location location{};

  double predicted() const { return typical.of(hours); }
  double low() const { return predicted() / typical.spread; }
  double high() const { return predicted() * typical.spread; }
  /// Median hours of the draws of `tofn predict`.
  double middle() const;
  /// Share of the draws of `tofn plan` that end within the stated hours; `beyond`: their overrun.
  double chance(const Overrun& beyond) const;
};

/// Predicts the runs of a table. Its columns are `score` (empty: not scored; `steps`: scored
/// apart), run, model_family, parameters_total, hidden, layers, tokens, accelerator, gpu_hours and,
/// if known, feed_forward, heads, kv_heads, head_dim, gated_mlp, tied_embeddings, vocabulary,
/// sequence_length, global_batch_tokens, gpus, tensor_parallel, pipeline_parallel,
/// context_parallel, precision (else bf16), goodput and hours_hold (`steps`, `steps: WHY`: hours of
/// steps alone; else their content besides passes over the tokens). Each run is predicted from the
/// runs of the shipped table and of its own, without those of its family. Unknown columns are
/// reported in a line of `notes`; InputError at one if it is null.
std::vector<PublishedRun> runs_answer(const std::filesystem::path& configs,
                                      const std::filesystem::path& table,
                                      std::vector<std::string>* notes = nullptr);

/// A table of runs without predictions.
struct RunsTable {
  std::size_t rows = 0;
  std::vector<std::string> unscored;  ///< `line 7: NAME: why`, for rows that are to be scored
};

/// Checks a table of runs. InputError at the first wrong cell.
RunsTable check_runs(const std::filesystem::path& table, Library&);

/// Returns the overrun for draws of whole runs, if the simulation alone predicts their hours.
Overrun overrun_of(const TypicalHours& by_simulation);

/// True if it is a whole run, scored with the others; `steps` are scored apart.
bool is_whole(const PublishedRun&);

/// Accuracy of hours over the predicted runs for which `is_chosen`.
Accuracy accuracy_of_hours(const std::vector<PublishedRun>&, double (*hours)(const PublishedRun&),
                           bool (*is_chosen)(const PublishedRun&));

/// Number of runs whose stated hours lie in the 90 % interval of `predict`'s draws, with the
/// overrun of other families or without any.
Coverage coverage_of(const std::vector<PublishedRun>&, bool has_overrun);

/// Share of the runs that lie in those intervals, with equal weights of families.
double share_covered(const std::vector<PublishedRun>&, bool has_overrun);

/// Share of deadlines that would have been kept, if each was set to be kept with the chance
/// `stated`; families have equal weights.
double share_kept(const std::vector<PublishedRun>&, double stated, bool has_overrun,
                  bool (*is_chosen)(const PublishedRun&));

}  // namespace answers
}  // namespace tofn
