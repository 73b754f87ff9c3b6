#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/answers/scorecard_answer.hpp"
#include "sim/core/csv.hpp"
#include "sim/report/answer_text.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

inline constexpr double scorecard_digits = 100;  ///< two after the point

AnswerText scorecard_text(const std::vector<ScorecardRow>&);
/// Errors, coverage and widths in %, with two digits after the point as scores.
ExplainedRecords scorecard_records(const std::vector<ScorecardRow>&);

/// A figure that differs.
struct ScorecardChange {
  std::string what;    ///< the row
  std::string column;  ///< empty: the whole row came or went
  std::optional<double> was{}, is{};

  std::string text() const;
  /// `mean_percent 5.96`: what a column `was` holds of it.
  std::string before() const;
};
struct ScorecardChanges {
  std::vector<ScorecardChange> worse;
  std::vector<ScorecardChange> better;
  std::size_t slightly_worse = 0;  ///< figures, by less than matters
};
/// Worse: a larger error, bias, half-width or score, a larger score beside that of intervals of one
/// width, by more than 3 % for a whole table and 10 % for a group of it; intervals that hold a
/// share further from what they promise, by more than one measurement and one point; fewer rows
/// scored; a row that is gone. The mean error is held against its best since as many were scored
/// (`best_mean_percent`), so that small steps do not add up.
ScorecardChanges scorecard_changes(const CsvTable& before, const CsvTable& now);
std::string changes_text(const ScorecardChanges&);

/// `ROW: CAUSE` tells why figures of the row of that name are worse. InputError where it is
/// neither.
struct Reason {
  std::string row;
  std::string cause;
};
Reason reason_of(const std::string& text);

/// A scorecard in the place of `before`: each figure that is worse stands in the column `was` of
/// its row as it was, and in `why` its cause with the experiment that shows it. What the row said
/// before is kept while nothing of it changes; a row that is gone stays without figures.
struct KeptScorecard {
  Records records;
  std::vector<ScorecardChange> without_reason;
};
/// `without`: for each change that made figures worse the scorecard of a build in which it alone is
/// reverted. A cause holds for a figure where reverting a change takes back at least half of what
/// it grew by; rows that are gone, or of fewer measurements, need none.
/// InputError where a cause serves more than three rows.
KeptScorecard kept_scorecard(const Records& now, const CsvTable& before, std::span<const Reason>,
                             std::span<const CsvTable> without = {});

/// Those of the figures of `now` that are worse than before and stand there without a reason that
/// an experiment shows. InputError where one cause serves more than three rows.
std::vector<ScorecardChange> unexplained(const CsvTable& before, const CsvTable& now);

/// How much worse a figure of the column is, the larger the worse.
double badness(std::string_view column, double value);

}  // namespace report
}  // namespace tofn
