#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/answers/run_point.hpp"
#include "sim/core/statistics.hpp"

namespace tofn {
inline namespace report {

/// What a size takes.
struct SizeMark {
  int accelerators = 0;
  double time = 0;        ///< expected: with the overrun of published runs, where that is drawn
  Interval interval{};    ///< 90 % of it; both ends the time itself: not known
  double efficiency = 1;  ///< of the simulated times, against the smallest size
  std::optional<double> simulated{};  ///< without the overrun of published runs, where one is drawn
};

/// A mark of a simulated time becomes one of the time that its run is expected to take, which its
/// interval surrounds.
void expect_overrun(SizeMark&, const RunEstimate&);

/// A line a size: its time `o` on a logarithmic axis with its interval `|-o--|`, where perfect
/// scaling of the smallest size would be `.`, and its efficiency as a bar. Plain ASCII, below 80
/// characters. Empty where there are less than three sizes. `unit`: of the times.
std::string size_chart(const std::vector<SizeMark>&, std::string_view unit);

/// The same of times in minutes, in a unit that suits them.
std::string time_chart(std::vector<SizeMark> minutes);

/// Minutes of runs, as expected, of sizes that are `compared`, and what their simulated times are
/// of those of the smallest (`scaling_points`).
std::vector<SizeMark> run_marks(const std::vector<RunPoint>&);

/// `1.2 days on 8, 4.1 hours on 64 accelerators: 7.0 x as fast at 88 % efficiency`; of one size its
/// time alone. Of runs with an overrun: `... accelerators (0.8 days, 2.9 hours simulated): ...`.
std::string sizes_sentence(const std::vector<SizeMark>& minutes);

/// After what trains: ` trains in 1.2 days on 8, ...`. Where no size fits it says so first. Of a
/// single step there are no marks.
std::string training_words(const std::vector<RunPoint>&, const std::vector<SizeMark>& minutes);

/// `DOES NOT FIT at any of these sizes; if it did: `
inline constexpr std::string_view no_size_fits = "DOES NOT FIT at any of these sizes; if it did: ";

}  // namespace report
}  // namespace tofn
