#pragma once

#include <string>
#include <vector>

#include "sim/report/answer_text.hpp"
#include "sim/report/table_columns.hpp"
#include "sim/validation/protocols.hpp"

namespace tofn {
inline namespace report {

/// How far off a protocol is in all and on the worst files; each file stands in the details.
AnswerText validate_text(const ScoringProtocol&, const std::vector<ScoredRow>&);

/// What the summary leaves out, and why. `unread`: what could not be read, a message each.
std::string validate_notes(const Scores&, const std::vector<std::string>& unread);

ExplainedRecords validate_records(const ScoringProtocol&, const std::vector<ScoredRow>&);

}  // namespace report
}  // namespace tofn
