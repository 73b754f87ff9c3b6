#pragma once

#include <functional>
#include <string>
#include <vector>

#include "microbench/harness/lab.hpp"
#include "microbench/harness/timed.hpp"
#include "microbench/harness/visit.hpp"

namespace tofn::bench {

/// One point to measure.
struct Case {
  RecordPoint point;       ///< its kind and parameters
  std::string title;       ///< `all-reduce of 64 KiB`, for messages
  Timed* timed = nullptr;  ///< absent on a rank without part
  /// Collective, before the first visit: fills buffers, runs once and checks the result.
  std::function<void()> prepare;
  /// Collective, after the last visit: checks what the timed calls left behind.
  std::function<void()> check;
  /// Figures that follow from seconds per call.
  std::function<RecordFigures(double median)> figures;
  bool is_dropped = false;  ///< the deadline came before its first visit
};

/// Collective. Measures the cases in rounds of short visits until each satisfies the rule, and
/// records each after each visit. Returns the points in the order of the cases; on ranks but 0
/// those of an earlier run that the record already has are without samples. At the lab's deadline
/// it ends with what there is: cases that were not visited yet are not among the points.
std::vector<RecordPoint> measure_in_rounds(Lab&, std::vector<Case>&);

}  // namespace tofn::bench
