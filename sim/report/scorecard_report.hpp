#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/answers/scorecard_answer.hpp"
#include "sim/core/csv.hpp"
#include "sim/core/records.hpp"

namespace tofn {
inline namespace report {

inline constexpr double scorecard_digits = 100;  ///< two after the point

std::string scorecard_text(const std::vector<ScorecardRow>&);
/// Errors, coverage and widths in %, with two digits after the point as scores.
Records scorecard_records(const std::vector<ScorecardRow>&);

/// A figure that differs by more than its last digit.
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
};
/// Worse: a larger error, bias, half-width or score, a larger score beside that of intervals of one
/// width, intervals that hold a share further from what they promise, fewer rows scored, a row that
/// is gone.
ScorecardChanges scorecard_changes(const CsvTable& before, const CsvTable& now);
std::string changes_text(const ScorecardChanges&);

/// `ROW: WHY` tells why figures of the rows are worse whose names begin so. InputError where it is
/// neither.
struct Reason {
  std::string rows;
  std::string why;
};
Reason reason_of(const std::string& text);

/// A scorecard in the place of `before`: each figure that is worse stands in the column `was` of
/// its row as it was, and in `why` the reason. What the row said before is kept while nothing of it
/// changes; a row that is gone stays without figures.
struct KeptScorecard {
  Records records;
  std::vector<ScorecardChange> without_reason;
};
KeptScorecard kept_scorecard(const Records& now, const CsvTable& before, std::span<const Reason>);

/// Those of the figures of `now` that are worse than before and stand there without a reason.
std::vector<ScorecardChange> unexplained(const CsvTable& before, const CsvTable& now);

}  // namespace report
}  // namespace tofn
