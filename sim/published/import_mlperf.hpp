#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tofn {
inline namespace published {

/// Runs of one organisation, benchmark and system, as the columns of configs/published.
struct ImportedRow {
  std::string round{};  ///< `v5.0` of a checkout training_results_v5.0; empty if its name has no
                        ///< round
  std::string organisation{}, system{}, benchmark{}, division{}, status{};
  std::optional<int> nodes{}, accelerators_per_node{}, accelerators{};
  std::string accelerator{}, framework{}, software_release{};
  int runs = 0;
  int failed_runs = 0;  ///< not converged, or cut off before run_stop
  std::optional<double> global_batch{}, gradient_accumulation{};
  std::optional<int> tensor_parallel{}, pipeline_parallel{}, context_parallel{};
  std::string plan_source{};
  std::string precision{}, precision_source{};
  double scaling_factor = 1;  ///< factor of the reference's convergence points (scaling.json)
  std::optional<double> unscaled_minutes{}, minutes{};
  std::optional<double> samples{}, samples_deviation{};
  std::optional<double> step_ms{};
  std::string step_source{};
  std::optional<double> startup_seconds{}, evaluation_seconds{}, evaluation_minutes{};
  std::optional<double> evaluations{}, initialisation_minutes{};
};

/// Rows and notes from a checkout of a round's results.
struct ImportedRounds {
  std::vector<ImportedRow> rows{};   ///< by organisation, system and benchmark
  std::vector<std::string> notes{};  ///< on missing, cut off or contradictory results
  int files = 0;
  int truncated_files = 0;  ///< those without run_stop
  long long damaged_lines = 0;
  long long bytes = 0;
};

/// Number of runs that a score needs, and how many of the best and of the worst it leaves out
/// (github.com/mlcommons/training_policies, training_rules.adoc, "Benchmark Results").
struct ScoreRule {
  int runs = 10;
  int dropped = 1;
};
ScoreRule score_rule(const std::string& benchmark);

/// The score in minutes: the mean of the runs without the best and the worst; failed runs are the
/// worst. Absent if more failed than the score leaves out.
std::optional<double> unscaled_score(std::vector<double> minutes, int failed, const ScoreRule&);

/// Reads SUBMITTER/results/SYSTEM/BENCHMARK/result_*.txt with scaling.json, SUBMITTER/systems and
/// the exports of SUBMITTER/benchmarks/**/config_SYSTEM*.sh, below the folder or one below it, in
/// parallel. InputError if there are no results.
ImportedRounds import_mlperf(const std::filesystem::path& folder);

}  // namespace published
}  // namespace tofn
