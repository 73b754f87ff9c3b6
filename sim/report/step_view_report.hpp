#pragma once

#include "sim/answers/step_view.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// A row for each pipeline stage: what its time is spent on, and what it holds.
ExplainedRecords stage_records(const StepView&);
/// A row for each pass of a chunk over a micro-batch, each exchange of gradients and each send.
ExplainedRecords pass_records(const StepView&);
/// A row for each layer's kernels and exchanges in these.
ExplainedRecords span_records(const StepView&);

}  // namespace report
}  // namespace tofn
