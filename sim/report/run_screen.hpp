#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/answers/run_point.hpp"
#include "sim/core/statistics.hpp"
#include "sim/training/run_limit.hpp"

// Lines on the screen of a run that all kinds of run share.

namespace tofn {
inline namespace report {

/// Lines `time`, `cost`, `memory`, `speed` and `energy`, with their ranges. `memory` follows the
/// peak, such as `of 86 GB, most loaded of 8 stages`; if it is empty, there is no such line.
std::string run_facts_text(const RunPoint&, const std::string& memory);

/// Words after the peak of a step: `of 86 GB on the most loaded of 8 stages: it fits`.
std::string step_memory_words(const SimulatedStep&);

/// Line such as `cost          2.81M USD     1.31M to 7.12M USD     at 6.16 USD an hour each`.
std::string fact_line(std::string_view label, std::string_view value, std::string_view range,
                      std::string_view rest);

/// Bars of the parts of a step, largest first; small parts share a line.
std::string step_bars_text(const StepTimes&);
/// Line on what the time goes to where steps take less than 80 % of it; empty otherwise.
std::string beside_steps_text(const RunEstimate&);

/// Headline such as `297 days expected, 2.81M USD`, or the duration of a step.
std::string run_headline(const RunPoint&);

/// Text such as `38 % chance of 20 days or less`; empty without limits.
std::string chance_words(const RunPoint&, const std::vector<RunLimit>&);

/// Sentence on the meaning of the ranges.
std::string ranges_text(const RunEstimate&);

/// Duration with three digits, in days if it is two or more, otherwise in hours, minutes, seconds
/// or milliseconds: `3.2 days`.
std::string time_words(Seconds);
/// Duration in the unit of `of`, beside which it stands.
std::string time_words(Seconds, Seconds of);
/// Energy in kWh, from 10 MWh on in MWh: `59.6 MWh`.
std::string energy_words(double kilowatt_hours);
/// Interval in the unit of `of`: `1.2 to 8.5 days`; `1.2 days or more` if it has no upper end.
std::string time_range_words(const Interval& seconds, Seconds of);

}  // namespace report
}  // namespace tofn
