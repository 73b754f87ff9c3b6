#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/answers/run_point.hpp"
#include "sim/core/statistics.hpp"
#include "sim/training/run_limit.hpp"

// Lines of a run's screen that all kinds of run share.

namespace tofn {
inline namespace report {

/// A run, and what its lines name besides the estimate.
struct RunScreen {
  const RunPoint& point;
  bool is_one_step = false;
  std::string memory;  ///< what stands behind the peak: `of 86 GB most loaded of 8 stages`
};

/// `time`, `cost`, `memory`, `speed` and `energy`, a line each, with their ranges.
std::string run_facts_text(const RunScreen&);

/// What stands behind a step's peak: `of 86 GB on the most loaded of 8 stages: it fits`.
std::string step_memory_words(const SimulatedStep&);
/// The same of the phase of a job that needs most.
std::string job_memory_words(const RunPoint&);

/// `cost          2.81M USD     1.31M to 7.12M USD     at 6.16 USD an hour each`
std::string fact_line(std::string_view label, std::string_view value, std::string_view range,
                      std::string_view rest);

/// The parts of a step, the largest first, a bar each; small ones as one line.
std::string step_bars_text(const StepTimes&);

/// `297 days expected, 2.81M USD`, or a step's length.
std::string run_headline(const RunPoint&, bool is_one_step);

/// `38 % chance of 20 days or less`; empty without limits.
std::string chance_words(const RunPoint&, const std::vector<RunLimit>&);

/// What the ranges hold.
std::string ranges_text(const RunEstimate&, bool is_one_step);

/// `3.2 days`: three digits, in days from two on, then hours, minutes, seconds, milliseconds.
std::string time_words(Seconds);
/// `1.2 to 8.5 days`, in the unit of `of`; `1.2 days or more` of what has no end.
std::string time_range_words(const Interval& seconds, Seconds of);

}  // namespace report
}  // namespace tofn
