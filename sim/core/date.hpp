#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace tofn {

/// A day of the calendar as ISO 8601 writes it, `2027-03-01`. Absent: the text is none, or there is
/// no such day.
std::optional<std::chrono::sys_days> parse_date(std::string_view text);

/// Today by the clock and the time zone of this machine.
std::chrono::sys_days today();

/// `2027-03-01`
std::string date_text(std::chrono::sys_days);

}  // namespace tofn
