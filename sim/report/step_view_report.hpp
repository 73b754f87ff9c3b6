#pragma once

#include "sim/answers/step_view.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// One row for each pipeline stage, with the parts of its time and of its memory.
ExplainedRecords stage_records(const StepView&);
/// One row for each pass of a chunk over a micro-batch, each exchange of gradients and each send.
ExplainedRecords pass_records(const StepView&);
/// One row for each layer's kernels and exchanges in these passes.
ExplainedRecords span_records(const StepView&);

}  // namespace report
}  // namespace tofn
