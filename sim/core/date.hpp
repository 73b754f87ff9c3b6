#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace tofn {

/// Reads a calendar day in ISO 8601, `2027-03-01`. Absent if the text is no date or the day does
/// not exist.
std::optional<std::chrono::sys_days> parse_date(std::string_view text);

/// Returns today's date in the time zone of this machine.
std::chrono::sys_days today();

/// Text of a day, `2027-03-01`.
std::string date_text(std::chrono::sys_days);

}  // namespace tofn
