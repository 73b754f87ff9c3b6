#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/answers/run_point.hpp"
#include "sim/core/statistics.hpp"

namespace tofn {
inline namespace report {

/// Time and efficiency of a size.
struct SizeMark {
  int accelerators = 0;
  double time = 0;        ///< expected: includes the overrun of published runs if there is one
  Interval interval{};    ///< 90 %; both ends are the time itself if it is not known
  double efficiency = 1;  ///< of the simulated times, relative to the smallest size
  std::optional<double> simulated{};  ///< without the overrun, if there is one
};

/// Turns a mark of a simulated time into one of the expected time of its run, with the interval
/// around that.
void expect_overrun(SizeMark&, const RunEstimate&);

/// Chart with a line for each size: its time `o` on a logarithmic axis with its interval `|-o--|`,
/// the perfect scaling of the smallest size as `.`, and its efficiency as a bar. Plain ASCII, below
/// 80 characters. Empty for fewer than three sizes. `unit`: of the times.
std::string size_chart(const std::vector<SizeMark>&, std::string_view unit);

/// Chart of times in minutes, converted to a suitable unit.
std::string time_chart(std::vector<SizeMark> minutes);

/// Expected minutes of the runs at sizes that are `compared`, with efficiencies of their simulated
/// times relative to the smallest size (`scaling_points`).
std::vector<SizeMark> run_marks(const std::vector<RunPoint>&);

/// Sentence such as `1.2 days on 8, 4.1 hours on 64 accelerators: 7.0 x as fast at 88 %
/// efficiency`; for one size only its time. Runs with an overrun add their simulated times: `...
/// accelerators (0.8 days, 2.9 hours simulated): ...`.
std::string sizes_sentence(const std::vector<SizeMark>& minutes);

/// Words that follow the name of the model: ` trains in 1.2 days on 8, ...`. If no size fits, they
/// say so first. A single step has no marks.
std::string training_words(const std::vector<RunPoint>&, const std::vector<SizeMark>& minutes);

inline constexpr std::string_view no_size_fits = "DOES NOT FIT at any of these sizes; if it did: ";

}  // namespace report
}  // namespace tofn
