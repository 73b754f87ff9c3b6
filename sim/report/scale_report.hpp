#pragma once

#include <string>

#include "sim/answers/scale_answer.hpp"
#include "sim/core/records.hpp"

namespace tofn {

std::string scale_text(const ScaleAnswer&);

/// One plain sentence: how many accelerators, and why not more. Causes are the parts of the job
/// whose accelerator-time grows most beyond the knee.
std::string advice_on(const ScaleAnswer&);

/// One record per point of each series, per law, per knee, per row left out.
Records scale_point_records(const ScaleAnswer&);
Records scale_law_records(const ScaleAnswer&);
Records scale_knee_records(const ScaleAnswer&);
Records scale_left_out_records(const ScaleAnswer&);

}  // namespace tofn
