#pragma once

#include <string>
#include <vector>

#include "sim/answers/scale_answer.hpp"
#include "sim/core/records.hpp"

namespace tofn {
inline namespace report {

std::string scale_text(const ScaleAnswer&);

/// One plain sentence: how many accelerators, and why not more. Causes are the parts of the job
/// whose accelerator-time grows most beyond the knee.
std::string advice_on(const ScaleAnswer&);

/// One record per point of each series, per law, per knee, per row left out.
Records scale_point_records(const ScaleAnswer&);
std::vector<ColumnMeaning> scale_columns();
Records scale_law_records(const ScaleAnswer&);
Records scale_knee_records(const ScaleAnswer&);
Records scale_left_out_records(const ScaleAnswer&);

/// One line a size: job, scaling, step and bottleneck.
std::string main_table(const ScaleSeries&, const std::vector<ScalingPoint>& times);
/// The same where only times are known.
std::string times_table(const std::vector<ScalingPoint>& times);
/// Both ways to grow a job, side by side.
std::string strong_weak_table(const ScaleSeries& strong, const ScaleSeries& weak);

}  // namespace report
}  // namespace tofn
