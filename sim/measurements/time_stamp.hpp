#pragma once

#include <optional>
#include <string_view>

namespace tofn {
inline namespace measurements {

/// When a line was written, by its own words. Only differences within one log have a meaning.
struct TimeStamp {
  double seconds = 0;
  double resolution = 1;  ///< seconds of one unit of its last digit
  bool has_date = false;  ///< without one the clock begins anew at midnight
};

/// The first `2025-03-04 00:44:44,441`, `2025-03-04T00:44:44.441Z`, `10/17/2025 16:31:56`,
/// `25-04-30 02:54:32` or bare `02:54:32` of the line; absent where there is none. Times of a
/// progress bar (`[01:02:03<04:05:06`) are none.
std::optional<TimeStamp> time_stamp_of(std::string_view line);

/// Seconds from one to the other; over midnight where they bear no date.
double seconds_between(const TimeStamp& from, const TimeStamp& to);

}  // namespace measurements
}  // namespace tofn
