#pragma once

#include <string>
#include <vector>

#include "sim/answers/goodput_answer.hpp"
#include "sim/answers/runs_answer.hpp"
#include "sim/core/records.hpp"

namespace tofn {
inline namespace report {

/// Published runs beside their predictions, and how far off those are, with the baseline beside it.
std::string runs_text(const std::vector<PublishedRun>&);
/// The runs that are not predicted, by reason.
std::string left_out_runs(const std::vector<PublishedRun>&);
/// The goodput that authors state beside the usual one; empty where nobody states any.
std::string goodput_text(const std::vector<StatedGoodput>&);
Records runs_records(const std::vector<PublishedRun>&);

}  // namespace report
}  // namespace tofn
