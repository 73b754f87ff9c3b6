#pragma once

#include <string>
#include <vector>

#include "sim/answers/scale_answer.hpp"
#include "sim/report/answer_text.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// Advice, the sizes and a chart; details: plans, strong and weak scaling, laws and knees.
AnswerText scale_text(const ScaleAnswer&);

/// One plain sentence: how many accelerators, and why not more. Causes are the parts of the job
/// whose accelerator-time grows most beyond the knee.
std::string advice_on(const ScaleAnswer&);

/// One record per point of each series, per law, per knee, per row left out.
Records scale_point_records(const ScaleAnswer&);
std::vector<ColumnMeaning> scale_columns();
ExplainedRecords scale_law_records(const ScaleAnswer&);
ExplainedRecords scale_knee_records(const ScaleAnswer&);
ExplainedRecords scale_left_out_records(const ScaleAnswer&);

/// One line a size: job, scaling, step and what limits it.
std::string main_table(const ScaleSeries&, const std::vector<ScalingPoint>& times);
/// Of each size the rest of its step, and what that rests on.
std::string parts_table(const ScaleSeries&);
/// The sizes where only times are known.
std::string times_table(const std::vector<ScalingPoint>& times);
/// Both ways to grow a job, side by side.
std::string strong_weak_table(const ScaleSeries& strong, const ScaleSeries& weak);

}  // namespace report
}  // namespace tofn
