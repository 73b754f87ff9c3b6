#pragma once

#include <string>
#include <vector>

#include "sim/answers/runs_answer.hpp"
#include "sim/core/records.hpp"

namespace tofn {
inline namespace report {

/// Published runs beside their predictions, and how far off those are, with the baseline beside it.
std::string runs_text(const std::vector<PublishedRun>&);
Records runs_records(const std::vector<PublishedRun>&);

}  // namespace report
}  // namespace tofn
