#pragma once

#include <vector>

#include "sim/answers/scale_answer.hpp"
#include "sim/calibration/choose_run.hpp"
#include "sim/published/series.hpp"
#include "sim/training/observation.hpp"

namespace tofn {

/// Knees of predictions that learn from all observations but one, each in turn. Sizes that cannot
/// be predicted then are left out.
std::vector<KneesWithoutRow> knees_without_each(const std::vector<Observation>&, const RunRequest&,
                                                const ScaleRequest&, const ScaleAnswer&);

/// Knees of the median times of all systems but one, each in turn.
std::vector<KneesWithoutRow> knees_without_each(const std::vector<NamedTime>&, const ScaleRequest&,
                                                const ScaleAnswer&);

}  // namespace tofn
