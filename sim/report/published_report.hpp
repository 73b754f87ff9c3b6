#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/answers/published_answer.hpp"
#include "sim/core/records.hpp"

namespace tofn {
inline namespace report {

/// Errors and how well intervals hold, of all runs and by domain, table, benchmark, accelerator and
/// size; then what is not scored, by reason and name.
std::string published_text(const std::vector<ScoredRun>&, std::string_view protocol);
/// What is not scored; of those that calibrate, which are most, no names.
std::string left_out_runs(const std::vector<ScoredRun>&);
Records published_records(const std::vector<ScoredRun>&, std::string_view protocol);

}  // namespace report
}  // namespace tofn
