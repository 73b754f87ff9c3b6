#pragma once

#include <optional>
#include <string_view>

namespace tofn {
inline namespace formats {

/// Time at which a line was written, as it states. Only differences within one log are meaningful.
struct TimeStamp {
  double seconds = 0;
  double resolution = 1;  ///< seconds per unit of the last digit
  bool has_date = false;  ///< without a date the clock restarts at midnight
};

/// Returns the first time stamp of the line: `2025-03-04 00:44:44,441`, `2025-03-04T00:44:44.441Z`,
/// `10/17/2025 16:31:56`, `25-04-30 02:54:32` or bare `02:54:32`; absent if there is none. Times of
/// a progress bar (`[01:02:03<04:05:06`) do not count.
std::optional<TimeStamp> time_stamp_of(std::string_view line);

/// Returns seconds between the stamps, across midnight if they have no date.
double seconds_between(const TimeStamp& from, const TimeStamp& to);

}  // namespace formats
}  // namespace tofn
