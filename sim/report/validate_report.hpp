#pragma once

#include <string>
#include <vector>

#include "sim/core/records.hpp"
#include "sim/validation/protocols.hpp"

namespace tofn {
inline namespace report {

/// How far off a protocol is, file by file and in all.
std::string validate_text(const ScoringProtocol&, const std::vector<ScoredRow>&);

/// What the summary leaves out, and why. `unread`: what could not be read, a message each.
std::string validate_notes(const Scores&, const std::vector<std::string>& unread);

Records validate_records(const ScoringProtocol&, const std::vector<ScoredRow>&);

}  // namespace report
}  // namespace tofn
