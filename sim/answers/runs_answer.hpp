#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/answers/usual_hours.hpp"
#include "sim/config/library.hpp"
#include "sim/core/accuracy.hpp"
#include "sim/training/job_draws.hpp"

namespace tofn {
inline namespace answers {

/// A published training run of a dense language model beside its prediction; hours are
/// accelerator-hours of the whole run.
struct PublishedRun {
  std::string name;
  std::string accelerator;
  std::string use;  ///< `time`, `time+plan` where dimensions and accelerators are stated, `steps`
  int accelerators = 0;
  RunHours hours;           ///< simulated: by steps and usual interruptions
  UsualHours usual;         ///< of other families' runs
  double pooled_hours = 0;  ///< by one utilisation for all of them
  /// By the median utilisation of other families' runs on that chip; absent: there are none.
  std::optional<double> baseline_hours;
  double goodput = 0;            ///< simulated
  std::vector<JobDraw> draws{};  ///< without an overrun
  double fastest =
      0;  ///< time with steps as fast as their 90 % interval reaches, over the expected
  /// What other families' runs took over their simulated hours.
  Overrun overrun = no_overrun;
  std::string plan;
  std::string hours_hold;            ///< beside passes over the tokens; empty: nothing is known
  std::vector<std::string> assumed;  ///< what the table does not state
  std::string skipped_because;       ///< empty: it is predicted
  Location location{};

  double predicted() const { return usual.of(hours); }
  double low() const { return predicted() / usual.spread; }
  double high() const { return predicted() * usual.spread; }
  /// Median hours of the draws of `tofn predict`.
  double middle() const;
  /// With which the draws of `tofn plan` would have said that it ends in the hours that it took;
  /// `beyond`: its steps.
  double chance(const Overrun& beyond) const;
};

/// Predicts the runs of a table with the columns `score` (empty: not to be scored; `steps`: apart),
/// run, model_family, parameters_total, hidden, layers, tokens, accelerator, gpu_hours and, where
/// known, feed_forward, heads, kv_heads, head_dim, gated_mlp, tied_embeddings, vocabulary,
/// sequence_length, global_batch_tokens, gpus, tensor_parallel, pipeline_parallel,
/// context_parallel, precision (else bf16), goodput and hours_hold (`steps`, `steps: WHY`: hours of
/// steps alone; else what they hold beside passes over the tokens). Each is predicted from the
/// shipped table's runs and its own table's, without those of its family. Unknown columns go to
/// `notes`, in a line, and are refused without it.
std::vector<PublishedRun> runs_answer(const std::filesystem::path& configs,
                                      const std::filesystem::path& table,
                                      std::vector<std::string>* notes = nullptr);

/// Such a table without its predictions.
struct RunsTable {
  std::size_t rows = 0;
  std::vector<std::string> unscored;  ///< `line 7: NAME: why`, of rows that ask for a score
};

/// InputError at the first cell that is wrong.
RunsTable check_runs(const std::filesystem::path& table, Library&);

/// Overrun that whole runs are drawn with, where the simulation alone predicts their hours.
Overrun overrun_of(const UsualHours& by_simulation);

/// Whether it is scored with the others: `steps` are apart.
bool is_whole(const PublishedRun&);

/// Errors of hours over those that were predicted and chosen.
Accuracy accuracy_of_hours(const std::vector<PublishedRun>&, double (*hours)(const PublishedRun&),
                           bool (*is_chosen)(const PublishedRun&));

/// Of how many the 90 % interval of `predict`'s draws holds the hours, with the overrun of other
/// families or without one.
Coverage coverage_of(const std::vector<PublishedRun>&, bool has_overrun);

/// Share of the runs that those intervals hold, each family weighing as much as any other.
double share_covered(const std::vector<PublishedRun>&, bool has_overrun);

/// Share that would have been kept of deadlines that are said to be with that chance; families
/// weigh the same.
double share_kept(const std::vector<PublishedRun>&, double said, bool has_overrun,
                  bool (*is_chosen)(const PublishedRun&));

}  // namespace answers
}  // namespace tofn
