#pragma once

#include <string>
#include <vector>

#include "sim/report/answer_text.hpp"
#include "sim/report/table_columns.hpp"
#include "sim/validation/protocols.hpp"

namespace tofn {
inline namespace report {

/// Text of a protocol's errors, overall and on the worst files; the details list each file.
AnswerText validate_text(const ScoringProtocol&, const std::vector<ScoredRow>&);

/// Text of the rows that the summary leaves out, with reasons. `unread`: one message for each file
/// that could not be read.
std::string validate_notes(const Scores&, const std::vector<std::string>& unread);

ExplainedRecords validate_records(const ScoringProtocol&, const std::vector<ScoredRow>&);

}  // namespace report
}  // namespace tofn
