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

inline constexpr double scorecard_digits = 100;  ///< two digits after the point

AnswerText scorecard_text(const std::vector<ScorecardRow>&);
/// Errors, coverage and widths are in %, with two digits after the point, and so are scores.
ExplainedRecords scorecard_records(const std::vector<ScorecardRow>&);

/// A figure that differs between two scorecards.
struct ScorecardChange {
  std::string what;    ///< name of the row
  std::string column;  ///< empty if the whole row was added or removed
  std::optional<double> was{}, is{};

  std::string text() const;
  /// The earlier value, as the column `was` has it: `mean_percent 5.96`.
  std::string before() const;
};
struct ScorecardChanges {
  std::vector<ScorecardChange> worse;
  std::vector<ScorecardChange> better;
  std::size_t slightly_worse = 0;  ///< number of figures that are worse within the tolerance
};
/// Compares two scorecards. Worse is a larger error, bias, half-width or score, or a larger score
/// relative to intervals of one width, by more than 3 % for a whole table and 10 % for a group of
/// it. Worse is also a coverage further from the promised one by more than one measurement and one
/// point, fewer scored rows, and a missing row. The mean error is compared with its best value
/// since as many rows were scored (`best_mean_percent`), so that small steps do not add up.
ScorecardChanges scorecard_changes(const CsvTable& before, const CsvTable& now);
std::string changes_text(const ScorecardChanges&);

/// Reason why the figures of a row are worse, stated as `ROW: CAUSE`. InputError if the text has
/// another form.
struct Reason {
  std::string row;
  std::string cause;
};
Reason reason_of(const std::string& text);

/// A scorecard that replaces `before`. The column `was` of a row has the earlier value of each
/// worse figure, and `why` its cause with the experiment that shows it. Earlier entries of a row
/// are kept as long as nothing in it changes; a removed row stays without figures.
struct KeptScorecard {
  Records records;
  std::vector<ScorecardChange> without_reason;
};
/// `without`: scorecards of builds that each revert one change which made figures worse. A cause is
/// accepted for a figure if reverting a change takes back at least half of its growth; removed
/// rows, and rows with fewer measurements, need no cause. InputError if a cause is given for more
/// than three rows.
KeptScorecard kept_scorecard(const Records& now, const CsvTable& before, std::span<const Reason>,
                             std::span<const CsvTable> without = {});

/// Returns the figures of `now` that are worse than before and have no reason that an experiment
/// shows. InputError if one cause is given for more than three rows.
std::vector<ScorecardChange> unexplained(const CsvTable& before, const CsvTable& now);

/// Measure of a figure's badness; larger is worse.
double badness(std::string_view column, double value);

}  // namespace report
}  // namespace tofn
