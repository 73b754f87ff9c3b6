#pragma once

#include <string>
#include <vector>

#include "sim/answers/collective_candidates.hpp"
#include "sim/report/answer_text.hpp"

namespace tofn {
inline namespace report {

/// The verdict on which the candidates of an open table agree, or what it depends on, with a line
/// for those of the same verdict, ranks and nodes; several tables have a line each, and their
/// candidates stand in the details.
AnswerText collective_candidates_text(const std::vector<OpenVerdict>&);

/// `give --cluster and --nodes`: what settles it.
std::string settling_options(const OpenVerdict&);

}  // namespace report
}  // namespace tofn
