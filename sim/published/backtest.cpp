#include "sim/published/backtest.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>

#include "sim/calibration/calibration.hpp"
#include "sim/core/error.hpp"
#include "sim/scaling/efficiency.hpp"

namespace tofn {
inline namespace published {
namespace {

std::optional<Seconds> seconds(std::optional<double> value, double unit) {
  if (!value) return {};
  return Seconds{*value * unit};
}

/// Name shared by the rows that a rule leaves out together; empty if it leaves none out.
std::string left_out_with(const PublishedRow& row, CalibrationRule rule) {
  if (rule == CalibrationRule::OtherSubmitters) return row.inputs.organisation;
  if (rule == CalibrationRule::OtherRounds)
    return std::filesystem::path(row.inputs.location.file).filename().string();
  return {};
}

/// Calibrations by the name of what is left out.
class Calibrations {
 public:
  Calibrations(std::span<const ResolvedRow> rows, CalibrationRule rule)
      : rows_(rows), rule_(rule) {}

  const Calibration& for_row(const PublishedRow& row) {
    const std::string left_out = left_out_with(row, rule_);
    const auto known = made_.find(left_out);
    if (known != made_.end()) return known->second;
    std::vector<ResolvedRow> kept;
    if (rule_ != CalibrationRule::None)
      std::ranges::copy_if(rows_, std::back_inserter(kept), [&](const ResolvedRow& each) {
        return left_out.empty() || !is_of(left_out, each.row);
      });
    return made_.emplace(left_out, Calibration(calibration_observations(kept))).first->second;
  }

 private:
  /// True if a row has runs of the left-out name, also under another one: some organisations
  /// submitted the same runs under several names and to several rounds.
  bool is_of(const std::string& left_out, const PublishedRow& row) const {
    return std::ranges::any_of(rows_, [&](const ResolvedRow& other) {
      return left_out_with(other.row, rule_) == left_out &&
             (left_out_with(row, rule_) == left_out || same_runs(other.row, row));
    });
  }

  std::span<const ResolvedRow> rows_;
  CalibrationRule rule_;
  std::map<std::string, Calibration> made_;
};

BacktestRow predicted(const ResolvedRow& resolved, Calibrations& calibrations,
                      const BacktestOptions& options) {
  BacktestRow result{.row = resolved.row,
                     .role = Role::Skipped,
                     .skipped_because = resolved.skipped_because,
                     .repeats_another_row = false,
                     .contradiction = resolved.row.contradiction(),
                     .prediction = {},
                     .calibrated_on = {},
                     .accelerator = {},
                     .workload = resolved.row.inputs.benchmark,
                     .linear_minutes = {}};
  if (!resolved.run) return result;
  if (resolved.run->workload->convergence.empty()) {
    result.skipped_because = "the workload has no reference convergence points";
    return result;
  }
  result.accelerator = resolved.run->cluster->accelerator.name;
  result.workload = resolved.run->workload->name;
  try {
    const Calibration& calibration = calibrations.for_row(resolved.row);
    const RunParameters parameters = options.rule == CalibrationRule::None
                                         ? assumed_parameters(*resolved.run)
                                         : calibration.parameters_for(*resolved.run);
    result.calibrated_on = parameters.compute.origin;
    const Run run = benchmark_run(*resolved.run, parameters, options.seed);
    RunEstimate made = estimate(run);
    result.prediction = run.expected();
    const double expected = result.prediction->total().time.base();
    result.seconds = {expected * made.time.interval.low, expected * made.time.interval.high};
    for (const RunSample& sample : made.samples)
      result.sampled_seconds.push_back(expected * sample.time);
    if (options.estimates) result.estimate = std::make_shared<const RunEstimate>(std::move(made));
    const bool calibrates = options.rule == CalibrationRule::OneNode &&
                            is_in_one_domain(*resolved.run) &&
                            resolved.row.outcome.step_ms.has_value();
    result.role = calibrates ? Role::Calibration : Role::Validation;
  } catch (const InputError& error) {
    result.skipped_because = error.what();
  }
  return result;
}

/// Median one-domain 8-accelerator score of the same benchmark and accelerator, times 8/N.
std::optional<double> linear_scaling(const ResolvedRow& row, std::span<const ResolvedRow> table) {
  if (!row.run) return {};
  constexpr int from = 8;
  std::vector<double> scores;
  for (const ResolvedRow& other : table)
    if (other.run && other.run->workload == row.run->workload &&
        other.run->plan.accelerators() == from && is_in_one_domain(*other.run) &&
        other.run->cluster->accelerator.name == row.run->cluster->accelerator.name &&
        other.row.outcome.official_minutes)
      scores.push_back(*other.row.outcome.official_minutes);
  return linear_scaling_minutes(scores, from, row.run->plan.accelerators());
}

}  // namespace

std::string_view to_text(Role role) {
  switch (role) {
    case Role::Calibration:
      return "calibration";
    case Role::Validation:
      return "validation";
    case Role::Skipped:
      break;
  }
  return "skipped";
}

std::string unscored_because(const BacktestRow& row) {
  if (!row.skipped_because.empty()) return row.skipped_because;
  if (row.role == Role::Calibration) return std::string(since_it_calibrates);
  return row.repeats_another_row ? "the same runs as another row" : "";
}

bool is_in_one_domain(const RunDescription& run) {
  return run.plan.accelerators() <= run.cluster->scale_up.domain_accelerators.value;
}

Observation observation_of(const ResolvedRow& resolved) {
  const RowOutcome& outcome = resolved.row.outcome;
  Observation seen{.run = *resolved.run,
                   .origin = resolved.row.full_name(),
                   .step = seconds(outcome.step_ms, 1e-3),
                   .evaluation_each = {},
                   .fixed = seconds(outcome.startup_seconds, 1),
                   .samples = outcome.samples,
                   .samples_deviation = outcome.samples_deviation};
  if (outcome.evaluation_exposed_minutes && outcome.evaluations && *outcome.evaluations > 0 &&
      *outcome.evaluation_exposed_minutes > 0)
    seen.evaluation_each = Seconds{*outcome.evaluation_exposed_minutes * 60 / *outcome.evaluations};
  return seen;
}

std::vector<Observation> calibration_observations(std::span<const ResolvedRow> rows) {
  std::vector<Observation> observations;
  std::vector<const PublishedRow*> taken;
  for (const ResolvedRow& resolved : rows) {
    if (!resolved.run || !is_in_one_domain(*resolved.run)) continue;
    if (!resolved.row.contradiction().empty()) continue;
    const bool repeated = std::ranges::any_of(
        taken, [&](const PublishedRow* other) { return same_runs(*other, resolved.row); });
    if (repeated) continue;
    taken.push_back(&resolved.row);
    observations.push_back(observation_of(resolved));
  }
  return observations;
}

std::vector<BacktestRow> backtest(std::span<const ResolvedRow> table,
                                  std::span<const ResolvedRow> background,
                                  const BacktestOptions& options) {
  // The shipped rows come first, because they state more of the configuration than a table that
  // repeats them.
  std::vector<ResolvedRow> all(background.begin(), background.end());
  all.insert(all.end(), table.begin(), table.end());
  Calibrations calibrations(all, options.rule);
  std::vector<BacktestRow> results;
  for (const ResolvedRow& resolved : table) {
    BacktestRow row = predicted(resolved, calibrations, options);
    row.repeats_another_row = std::ranges::any_of(
        results, [&](const BacktestRow& earlier) { return same_runs(earlier.row, resolved.row); });
    row.linear_minutes = linear_scaling(resolved, table);
    results.push_back(std::move(row));
  }
  return results;
}

}  // namespace published
}  // namespace tofn
