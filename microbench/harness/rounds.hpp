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
  std::string title;       ///< such as `all-reduce of 64 KiB`, for messages
  Timed* timed = nullptr;  ///< null on a rank that does not take part
  /// Before the first visit: fills buffers, runs once and checks the result. Collective.
  std::function<void()> prepare;
  /// After the last visit: checks the result of the timed calls. Collective.
  std::function<void()> check;
  /// Figures derived from the seconds per call.
  std::function<RecordFigures(double median)> figures;
  bool is_dropped = false;  ///< the deadline came before its first visit
};

/// Measures the cases in rounds of short visits until each satisfies the rule, and records each
/// after each visit. Collective. Returns the points in the order of the cases; on ranks other than
/// 0, points from an earlier run in the record have no samples. At the lab's deadline it ends with
/// the results so far, without cases that were not visited.
std::vector<RecordPoint> measure_in_rounds(Lab&, std::vector<Case>&);

}  // namespace tofn::bench
