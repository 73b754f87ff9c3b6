#pragma once

#include <string_view>
#include <vector>

#include "sim/answers/run_point.hpp"
#include "sim/memory/footprint.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace answers {

/// Spans of one pass of a stage's chunk over one micro-batch, or of the work after the passes.
struct StepPass {
  Span first;  ///< the first span, from the start of all to the finish of all
  Seconds computing{};
  Seconds exchanging{};
  bool is_critical = false;  ///< true if a part of it is on the critical path
};

/// Work and timeline of a step of the phase that trains longest, without the noise of replicas.
struct StepView {
  StepWork work;
  Timeline timeline{};  ///< its spans point into `work`
  std::vector<StepPass> passes{};
  std::vector<bool> is_critical{};  ///< for each span
  std::vector<Footprint> memory{};  ///< of each stage; empty if the steps are measured ones
  std::vector<Bytes> capacity{};    ///< memory of each stage's accelerator
};

StepView step_view(const RunPoint& with_estimate);

}  // namespace answers
}  // namespace tofn
