#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/answers/plan_answer.hpp"

namespace tofn {
inline namespace report {

/// Step of the candidate's main phase.
const SimulatedStep& candidate_step(const RunCandidate&);

/// Line for a search that was stopped with so many candidates left; otherwise empty.
std::string stopped_text(int not_tried);
/// Words before the nearest run where none keeps the limits.
std::string none_keeps_text(int not_tried);

/// Price term such as `, spot`, if the offers have several.
std::string price_term_text(const RunSearch&, const RunCandidate&);

/// Candidates of which the lines above a table tell: the best, or the nearest, and the runner-up.
std::vector<const RunCandidate*> told_candidates(const RunChoice&);

/// Candidates of the Pareto front, the best of each cluster without one there, and those told of,
/// by time.
std::vector<const RunCandidate*> notable_candidates(const RunSearch&, const RunChoice&);

/// Returns at most `most` candidates, by time. Those told of are always kept, and others off the
/// front before the front takes more than half of the rows.
std::vector<const RunCandidate*> thinned_candidates(const RunSearch&,
                                                    const std::vector<const RunCandidate*>& all,
                                                    const std::vector<const RunCandidate*>& told,
                                                    std::size_t most);

/// Table of what each candidate needs: accelerators, days, cost and energy.
std::string candidates_table(const RunSearch&, const std::vector<const RunCandidate*>&);

/// Table of each candidate's plan, in words.
std::string candidate_plans_table(const RunSearch&, const std::vector<const RunCandidate*>&);

}  // namespace report
}  // namespace tofn
