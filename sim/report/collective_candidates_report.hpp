#pragma once

#include <string>
#include <vector>

#include "sim/answers/collective_candidates.hpp"
#include "sim/report/answer_text.hpp"

namespace tofn {
inline namespace report {

/// Text of a table whose machine or placement is open: the verdict of all its candidates, or the
/// facts that it depends on, with a line for candidates of the same verdict, ranks and nodes.
/// Several tables get one line each, and the details list their candidates.
AnswerText collective_candidates_text(const std::vector<OpenVerdict>&);

/// Options that would settle the verdict, such as `give --cluster and --nodes`.
std::string settling_options(const OpenVerdict&);

}  // namespace report
}  // namespace tofn
