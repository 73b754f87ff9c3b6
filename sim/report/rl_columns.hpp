#pragma once

#include "sim/answers/rl_answer.hpp"
#include "sim/report/figure_columns.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// RL post-training on one number of accelerators.
struct RlLine {
  const RlRequest* request;
  const RlPoint* point;

  const RlSplit* split() const { return point->split ? &*point->split : nullptr; }
  const RlSplit* better() const { return point->better ? &*point->better : nullptr; }
  const RlSplit* shared() const { return point->shared ? &*point->shared : nullptr; }
  const RunEstimate* run() const { return point->estimate ? &*point->estimate : nullptr; }
  double speed() const { return point->tokens_per_second_each(*request); }
};

/// Columns of such lines: the request, the division and the step.
TableColumns<RlLine> rl_columns();

/// Records of such lines with the figures of their runs, whose words are those of all runs.
template <class Line>
ExplainedRecords with_run_figures(TableColumns<Line> columns, const std::vector<Line>& lines) {
  std::vector<ColumnWords> words = words_of(columns);
  add_run_figures(columns, [](const Line& line) { return line.run(); });
  ExplainedRecords records = records_of(columns, lines);
  records.words = std::move(words);
  return records;
}

}  // namespace report
}  // namespace tofn
