#include "sim/report/mlperf_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "sim/answers/disclosures.hpp"

namespace tofn {
inline namespace report {
namespace {

constexpr std::size_t most_rows = 40;

/// A scored run with its errors.
struct WorstRun {
  std::string_view round;
  const BacktestRow* row;
  RowErrors errors;
};

/// A term of a run's time, and its relative error. Step and samples multiply; the others are shares
/// of the run.
struct ErrorTerm {
  std::string_view name;
  std::optional<double> RowErrors::*error;
};
constexpr std::array error_terms{
    ErrorTerm{"step", &RowErrors::step}, ErrorTerm{"samples to the target", &RowErrors::samples},
    ErrorTerm{"evaluations", &RowErrors::evaluation}, ErrorTerm{"start-up", &RowErrors::fixed}};

/// Name of the term with the largest error on the side of the whole error; `not published` if the
/// row states no term, and `none that is published` if those that it states err to the other side.
std::string largest_term(const WorstRun& run) {
  std::string_view largest = "not published";
  double most = 0;
  for (const ErrorTerm& term : error_terms) {
    const auto error = run.errors.*term.error;
    if (!error) continue;
    if (most == 0) largest = "none that is published";
    if (*error * run.errors.time <= 0 || std::abs(*error) <= most) continue;
    most = std::abs(*error);
    largest = term.name;
  }
  return std::string(largest);
}

std::string known_cause(const WorstRun& run) {
  if (!run.row->contradiction.empty())
    return "numbers of the row contradict each other: " + run.row->contradiction;
  return "predicted from " +
         (run.row->calibrated_on.empty() ? std::string("assumed figures") : run.row->calibrated_on);
}

std::optional<double> percent_of(const std::optional<double>& share) {
  return share ? std::optional(100 * *share) : std::nullopt;
}
auto error_of(std::optional<double> RowErrors::*term) {
  return [term](const WorstRun& run) { return percent_of(run.errors.*term); };
}

TableColumns<WorstRun> columns_of_worst() {
  return {
      {"round", [](const WorstRun& run) { return std::string(run.round); },
       "table of the published row"},
      {"benchmark", [](const WorstRun& run) { return run.row->workload; }, "workload of the row"},
      {"org", [](const WorstRun& run) { return run.row->row.inputs.organisation; }, "submitter"},
      {"system", [](const WorstRun& run) { return run.row->row.inputs.system; },
       "system, as published"},
      {"accelerator", [](const WorstRun& run) { return run.row->accelerator; },
       "chip, by its name in accelerators/"},
      {"accelerators", [](const WorstRun& run) { return run.row->row.inputs.accelerators; },
       "accelerators of the job"},
      {"published_min", [](const WorstRun& run) { return run.row->row.outcome.official_minutes; },
       "official score"},
      {"predicted_min",
       [](const WorstRun& run) { return run.row->prediction->total().time.base() / 60; },
       "expected time to train"},
      {"error_percent", [](const WorstRun& run) { return 100 * run.errors.time; },
       "predicted over published time to train, less 1"},
      {"is_inside", [](const WorstRun& run) { return run.errors.inside_interval; },
       "true if the 90 % interval holds the published time"},
      {"largest_term", largest_term, "term of the time with the largest error of the same sign"},
      {"step_error_percent", error_of(&RowErrors::step),
       "error of the step, where its log shows it"},
      {"samples_error_percent", error_of(&RowErrors::samples),
       "error of the samples to the target"},
      {"evaluation_error_percent", error_of(&RowErrors::evaluation),
       "error of the evaluations, as a share of the run"},
      {"start_up_error_percent", error_of(&RowErrors::fixed),
       "error of the time beside steps and evaluations, as a share of the run"},
      {"rests_on", known_cause,
       "measured steps that the prediction rests on, or what the row's own "
       "numbers contradict"}};
}

}  // namespace

ExplainedRecords worst_records(std::span<const PredictedRound> rounds) {
  std::vector<WorstRun> runs;
  for (const PredictedRound& round : rounds)
    for (const BacktestRow& row : round.rows)
      if (const auto errors = row_errors(row); errors && is_scored(row))
        runs.push_back({round.name, &row, *errors});
  std::ranges::stable_sort(runs, [](const WorstRun& a, const WorstRun& b) {
    return std::abs(std::log1p(a.errors.time)) > std::abs(std::log1p(b.errors.time));
  });
  if (runs.size() > most_rows) runs.resize(most_rows);
  return records_of(columns_of_worst(), runs);
}

}  // namespace report
}  // namespace tofn
