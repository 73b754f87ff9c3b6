#include "sim/published/import_mlperf.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/core/parallel.hpp"
#include "sim/core/statistics.hpp"
#include "sim/formats/step_logs/mllog_run.hpp"
#include "sim/formats/step_logs/steady_steps.hpp"
#include "sim/parallelism/run_settings.hpp"
#include "sim/published/mlperf_files.hpp"

namespace tofn {
inline namespace published {
namespace {

namespace fs = std::filesystem;

struct RuleOf {
  std::string_view benchmark;
  ScoreRule rule;
};
constexpr std::array rules{RuleOf{"resnet", {5, 1}},      RuleOf{"ssd", {5, 1}},
                           RuleOf{"retinanet", {5, 1}},   RuleOf{"maskrcnn", {5, 1}},
                           RuleOf{"unet3d", {40, 4}},     RuleOf{"gpt3", {3, 1}},
                           RuleOf{"llama31_405b", {3, 1}}};

/// Benchmarks whose `epoch_num` and `trained_samples` count tokens.
bool counts_tokens(const std::string& benchmark) { return benchmark == "gpt3"; }

/// A result file's log, or the problem with it.
struct ReadRun {
  MlperfLog log{};
  std::string problem{};
};

/// Reads all files in parallel.
std::vector<ReadRun> read_all(const std::vector<fs::path>& files) {
  std::vector<ReadRun> read(files.size());
  in_parallel(files.size(), [&](std::size_t i) {
    try {
      read[i].log = scan_mlperf_log(files[i]);
    } catch (const InputError& error) {
      read[i].problem = error.what();
    }
  });
  return read;
}

/// Samples trained until run_stop.
std::optional<double> samples_of(const MllogRun& run, const MllogSteps& steps,
                                 const std::string& benchmark) {
  if (run.stop_step && run.global_batch) return *run.stop_step * *run.global_batch;
  if (!run.samples) return {};
  if (counts_tokens(benchmark) && run.sequence_length) return *run.samples / *run.sequence_length;
  if (run.samples_are_of_epochs && steps.epochs_are_of_batches && run.global_batch)
    return *run.samples * *run.global_batch;
  return run.samples;
}

std::optional<double> steady_seconds(const MllogSteps& steps) {
  if (steps.steps.empty()) return {};
  std::vector<LoggedStep> logged;
  for (const MllogInterval& each : steps.steps)
    if (each.seconds > 0) logged.push_back({.seconds = each.seconds, .steps = each.steps});
  if (logged.empty()) return {};
  return steady_steps(logged).seconds;
}

/// Figures of the runs that are in the score.
struct Kept {
  std::vector<double> samples, steps, startups, evaluating, evaluations, each, initialising;

  void take(const MllogRun& run, const MllogSteps& found, const std::string& benchmark) {
    const auto trained = samples_of(run, found, benchmark);
    const auto step = steady_seconds(found);
    if (trained) samples.push_back(*trained);
    if (step) steps.push_back(*step);
    const auto evaluated = run.evaluation_seconds();
    evaluating.push_back(run.evaluating() / 60);
    evaluations.push_back(static_cast<double>(evaluated.size()));
    if (!evaluated.empty()) each.push_back(median(evaluated));
    if (run.init_start) initialising.push_back((*run.run_start - *run.init_start) / 60e3);
    if (trained && step && run.global_batch)
      startups.push_back(run.minutes() * 60 - run.evaluating() -
                         *trained / *run.global_batch * *step);
  }
};

template <class F>
std::optional<double> of(const std::vector<double>& values, const F& statistic) {
  if (values.empty()) return {};
  return statistic(values);
}

void set_facts(const MllogRun& run, ImportedRow& row) {
  if (!row.global_batch) row.global_batch = run.global_batch;
  if (!row.gradient_accumulation) row.gradient_accumulation = run.gradient_accumulation;
  if (row.division.empty()) row.division = run.division;
  if (row.status.empty()) row.status = run.submission_status;
}

void set_plan(const MlperfLog& log, ImportedRow& row) {
  if (!row.plan_source.empty()) return;
  const LoggedSizes& sizes = log.sizes;
  if (sizes.tensor_parallel_size || sizes.pipeline_parallel_size || sizes.context_parallel_size) {
    row.tensor_parallel = sizes.tensor_parallel_size;
    row.pipeline_parallel = sizes.pipeline_parallel_size;
    row.context_parallel = sizes.context_parallel_size;
    row.plan_source = "log";
  }
  if (!row.precision.empty() || log.precision.empty()) return;
  row.precision = log.precision;
  row.precision_source = "log";
}

/// Indices of the runs whose minutes are in the score.
std::set<std::size_t> kept_runs(const std::vector<std::pair<double, std::size_t>>& times,
                                int failed, const ScoreRule& rule) {
  std::set<std::size_t> kept;
  const int worst = std::max(0, rule.dropped - failed);
  for (std::size_t i = 0; i < times.size(); ++i)
    if (times.size() < 3 || (i >= static_cast<std::size_t>(rule.dropped) &&
                             i + static_cast<std::size_t>(worst) < times.size()))
      kept.insert(times[i].second);
  return kept;
}

class RowMaker {
 public:
  RowMaker(const ResultFolder& folder, ImportedRounds& rounds) : folder_(folder), rounds_(rounds) {}

  ImportedRow row(std::span<const ReadRun> runs) {
    row_ = described_row(folder_);
    const ScoreRule rule = score_rule(row_.benchmark);
    std::vector<std::pair<double, std::size_t>> times;
    for (std::size_t i = 0; i < runs.size(); ++i) take(runs[i], i, times);
    std::ranges::sort(times);
    std::vector<double> minutes;
    for (const auto& [each, index] : times) minutes.push_back(each);
    row_.runs = static_cast<int>(runs.size());
    row_.unscaled_minutes = unscaled_score(minutes, row_.failed_runs, rule);
    if (row_.unscaled_minutes) row_.minutes = *row_.unscaled_minutes * row_.scaling_factor;
    if (row_.runs != rule.runs)
      note(fmt::format("{} result files, the rules ask for {}", row_.runs, rule.runs));
    if (!row_.unscaled_minutes)
      note(fmt::format("no score: {} of {} runs failed", row_.failed_runs, row_.runs));
    set_kept(runs, kept_runs(times, row_.failed_runs, rule));
    return row_;
  }

 private:
  void take(const ReadRun& read, std::size_t index,
            std::vector<std::pair<double, std::size_t>>& times) {
    const MllogRun& run = read.log.run;
    rounds_.damaged_lines += run.damaged;
    rounds_.bytes += read.log.bytes;
    set_facts(run, row_);
    set_plan(read.log, row_);
    if (!read.problem.empty()) note(read.problem);
    const bool is_converged =
        run.is_complete() && run.minutes() > 0 && (run.status.empty() || run.status == "success");
    if (!run.run_stop) ++rounds_.truncated_files;
    if (is_converged)
      times.emplace_back(run.minutes(), index);
    else
      ++row_.failed_runs;
  }

  void set_kept(std::span<const ReadRun> runs, const std::set<std::size_t>& kept) {
    Kept figures;
    std::string contradiction;
    for (const std::size_t index : kept) {
      const MllogRun& run = runs[index].log.run;
      const MllogSteps found = steps_of(run, row_.accelerators);
      if (!found.contradiction.empty()) contradiction = found.contradiction;
      if (!found.source.empty()) row_.step_source = found.source;
      figures.take(run, found, row_.benchmark);
    }
    if (!contradiction.empty()) note("no step: " + contradiction);
    row_.samples = of(figures.samples, mean);
    row_.samples_deviation = of(figures.samples, standard_deviation);
    row_.step_ms = of(figures.steps, median);
    if (row_.step_ms) row_.step_ms = *row_.step_ms * 1e3;
    row_.startup_seconds = of(figures.startups, mean);
    row_.evaluation_minutes = of(figures.evaluating, mean);
    row_.evaluations = of(figures.evaluations, mean);
    row_.evaluation_seconds = of(figures.each, median);
    row_.initialisation_minutes = of(figures.initialising, mean);
  }

  void note(const std::string& text) {
    rounds_.notes.push_back(
        fmt::format("{}/{} {}: {}", row_.organisation, row_.system, row_.benchmark, text));
  }

  const ResultFolder& folder_;
  ImportedRounds& rounds_;
  ImportedRow row_;
};

/// Message about a field that a table of runs needs and the row lacks; empty if it has all.
std::string missing_of(const ImportedRow& row) {
  if (!row.accelerators || row.accelerator.empty())
    return fmt::format(
        "systems/{}.json says no number_of_nodes, accelerators_per_node or "
        "accelerator_model_name",
        row.system);
  return row.global_batch ? "" : "no log says global_batch_size";
}

}  // namespace

ScoreRule score_rule(const std::string& benchmark) {
  const auto* const found = std::ranges::find(rules, benchmark, &RuleOf::benchmark);
  return found == rules.end() ? ScoreRule{} : found->rule;
}

std::optional<double> unscaled_score(std::vector<double> minutes, int failed,
                                     const ScoreRule& rule) {
  if (minutes.empty() || failed > rule.dropped) return {};
  std::ranges::sort(minutes);
  const int count = static_cast<int>(minutes.size());
  int first = rule.dropped;
  int last = count - (rule.dropped - failed);
  if (last <= first) {  // too few to leave any out
    first = 0;
    last = count;
  }
  return mean(std::span(minutes).subspan(static_cast<std::size_t>(first),
                                         static_cast<std::size_t>(last - first)));
}

ImportedRounds import_mlperf(const fs::path& folder) {
  const auto folders = result_folders(folder);
  std::vector<fs::path> files;
  for (const ResultFolder& each : folders)
    files.insert(files.end(), each.files.begin(), each.files.end());
  const auto read = read_all(files);
  ImportedRounds rounds{.files = static_cast<int>(files.size())};
  std::size_t at = 0;
  for (const ResultFolder& each : folders) {
    ImportedRow row = RowMaker(each, rounds).row(std::span(read).subspan(at, each.files.size()));
    at += each.files.size();
    if (const std::string missing = missing_of(row); !missing.empty())
      rounds.notes.push_back(fmt::format("{}: left out: {}", each.path.string(), missing));
    else
      rounds.rows.push_back(std::move(row));
  }
  return rounds;
}

}  // namespace published
}  // namespace tofn
