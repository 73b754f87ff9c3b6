#pragma once

#include <string>
#include <vector>

#include "sim/answers/scale_answer.hpp"
#include "sim/report/answer_text.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// Text of the advice, the sizes and a chart; details: plans, strong and weak scaling, laws and
/// knees.
AnswerText scale_text(const ScaleAnswer&);

/// One sentence on how many accelerators to use, and why not more. Causes are the parts of the job
/// whose accelerator-time grows most beyond the knee.
std::string advice_on(const ScaleAnswer&);

/// One row for each point of each series, each law, each knee and each row left out.
Records scale_point_records(const ScaleAnswer&);
std::vector<ColumnWords> scale_columns();
ExplainedRecords scale_law_records(const ScaleAnswer&);
ExplainedRecords scale_knee_records(const ScaleAnswer&);
ExplainedRecords scale_left_out_records(const ScaleAnswer&);

/// Table with a line for each size: job, scaling, step and bottleneck; and the cost of the run, if
/// it is asked for and a price is known.
std::string main_table(const ScaleSeries&, const std::vector<ScalingPoint>& times,
                       bool is_of_money);
/// Table of the other parts of each size's step, with their basis.
std::string parts_table(const ScaleSeries&);
/// Table of the sizes if only times are known.
std::string times_table(const std::vector<ScalingPoint>& times);
/// Table of both ways to grow a job, side by side.
std::string strong_weak_table(const ScaleSeries& strong, const ScaleSeries& weak);

}  // namespace report
}  // namespace tofn
