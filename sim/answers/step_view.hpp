#pragma once

#include <string_view>
#include <vector>

#include "sim/answers/run_point.hpp"
#include "sim/memory/footprint.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace answers {

/// Spans of one pass of a stage's chunk over one micro-batch, or of what follows the passes.
struct StepPass {
  Span first;  ///< with the start of all and the finish of all
  Seconds computing{};
  Seconds exchanging{};
  bool is_critical = false;  ///< a part of it is on the critical path
};

/// What the ranks of a step do: of the phase that trains for longest, without the noise of
/// replicas.
struct StepView {
  StepWork work;
  Timeline timeline{};  ///< its spans point into `work`
  std::vector<StepPass> passes{};
  std::vector<bool> is_critical{};  ///< for each span
  std::vector<Footprint> memory{};  ///< of each stage; empty: measured steps do not show it
  std::vector<Bytes> capacity{};    ///< of the accelerators that hold these
};

StepView step_view(const RunPoint& with_estimate);

}  // namespace answers
}  // namespace tofn
