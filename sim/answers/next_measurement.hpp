#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/quantity.hpp"

// Measurements that would narrow the interval of a prediction.

namespace tofn {
inline namespace answers {

/// Kinds of measurements that remove an uncertainty.
enum class Settling { Steps, NodeSteps, Collectives, Hours, Failures, Runs, Evaluations, Quotes };

/// Row of a kind: what is measured, and how its result is stated.
struct SettledBy {
  std::string_view measurement;
  std::string_view command;
};
/// Rows in the order of `Settling`.
inline constexpr std::array settled_by{
    SettledBy{"a step of this model under this plan", "--observed 'N,BATCH: TIME'"},
    SettledBy{"steps of it on one such node", "tofn calibrate --steps LOG"},
    SettledBy{"collectives on two of its nodes", "tofn-bench collective"},
    SettledBy{"hours of your runs beside simulated ones", "tofn validate runs FILE"},
    SettledBy{"a log of your failures", "--failure-every, --restart"},
    SettledBy{"your runs to the target at this batch", "tofn calibrate LOGS"},
    SettledBy{"a log of your run with its evaluations", "tofn calibrate LOG"},
    SettledBy{"a quote for these machines", "--price, --prices"}};
constexpr const SettledBy& row_of(Settling by) { return settled_by[static_cast<std::size_t>(by)]; }

/// One measurement, with what it takes and what it would leave.
struct Measurement {
  std::string name;
  std::string command;           ///< how it is made, or how its result is stated
  std::string plan{};            ///< options beside the command that state a measured step's plan
  double accelerator_hours = 0;  ///< 0: of what exists already
  /// Standard deviation after it of the logarithm of the time or, in a choice, of the ratio of both
  /// runs.
  double deviation = 0;
  bool is_a_bound = false;  ///< assumes that it removes its uncertainties entirely
};

/// Steps of a measurement of steps, and the time of a measurement of collectives: both assumed.
inline constexpr int steps_measured = 20;
inline constexpr Seconds time_of_collectives = Seconds(10 * 60.0);

/// Leaves out measurements that narrow the interval of this deviation by less than half a per cent
/// of its width.
std::vector<Measurement> narrowing(std::vector<Measurement>, double deviation);

/// Sorts measurements: those that leave alike intervals (within a tenth of the width) by what they
/// take, and those before others that leave wider ones.
std::vector<Measurement> ranked(std::vector<Measurement>);

}  // namespace answers
}  // namespace tofn
