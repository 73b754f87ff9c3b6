#pragma once

#include <string>
#include <vector>

#include "sim/answers/scorecard_answer.hpp"
#include "sim/core/csv.hpp"
#include "sim/core/records.hpp"

namespace tofn {
inline namespace report {

std::string scorecard_text(const std::vector<ScorecardRow>&);
/// Errors, coverage and widths in %, with two digits after the point as scores.
Records scorecard_records(const std::vector<ScorecardRow>&);

/// A line for each figure that differs by more than its last digit.
struct ScorecardChanges {
  std::vector<std::string> worse;
  std::vector<std::string> better;
};
/// Worse: a larger mean or median error, a larger score, 90 % intervals that hold a share further
/// from it, fewer rows scored, a row that is gone. Wider intervals are worse by their score alone.
ScorecardChanges scorecard_changes(const CsvTable& before, const CsvTable& now);
std::string changes_text(const ScorecardChanges&);

}  // namespace report
}  // namespace tofn
