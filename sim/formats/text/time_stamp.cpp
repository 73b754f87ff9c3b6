#include "sim/formats/text/time_stamp.hpp"

#include <array>
#include <chrono>
#include <cmath>

#include "sim/formats/text/log_text.hpp"

namespace tofn {
inline namespace formats {
namespace {

/// Parses a whole number; -1 if a character is not a digit.
int digits(std::string_view text) {
  int value = 0;
  for (const char c : text) {
    if (!is_digit(c)) return -1;
    value = 10 * value + (c - '0');
  }
  return text.empty() ? -1 : value;
}

/// Days since 1970; absent if the month or the day does not exist.
std::optional<double> day_of(int year, int month, int day) {
  const auto date = std::chrono::year(year) / month / day;
  if (year < 0 || month < 1 || day < 1 || !date.ok()) return {};
  return std::chrono::sys_days(date).time_since_epoch().count();
}

/// Positions of year, month and day in a date before the time, and its length.
struct DateForm {
  std::size_t length, year, year_length, month, day;
};
constexpr std::array date_forms{DateForm{10, 0, 4, 5, 8},  // 2025-03-04, 2025/03/04
                                DateForm{10, 6, 4, 0, 3},  // 10/17/2025
                                DateForm{8, 0, 2, 3, 6}};  // 25-04-30

std::optional<double> date_before(std::string_view text) {
  for (const DateForm& form : date_forms) {
    if (text.size() < form.length) continue;
    const std::string_view date = text.substr(text.size() - form.length);
    const int year = digits(date.substr(form.year, form.year_length));
    const auto day = day_of(form.year_length == 2 && year >= 0 ? 2000 + year : year,
                            digits(date.substr(form.month, 2)), digits(date.substr(form.day, 2)));
    if (day) return day;
  }
  return {};
}

/// True for a time such as `00:44:44` at that place without a digit, colon or `<` beside it.
bool is_time_at(std::string_view line, std::size_t at) {
  constexpr std::size_t length = 8;
  if (at + length > line.size() || line[at + 2] != ':' || line[at + 5] != ':') return false;
  const auto touches = [](char c) { return is_digit(c) || c == ':' || c == '<'; };
  if (at > 0 && touches(line[at - 1])) return false;
  if (at + length < line.size() && touches(line[at + length])) return false;
  const int hour = digits(line.substr(at, 2));
  const int minute = digits(line.substr(at + 3, 2));
  const int second = digits(line.substr(at + 6, 2));
  return hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second <= 60;
}

TimeStamp stamp_at(std::string_view line, std::size_t at) {
  constexpr double minute = 60;
  constexpr double hour = 3600;
  constexpr double day = 86400;
  TimeStamp stamp{.seconds = digits(line.substr(at, 2)) * hour +
                             digits(line.substr(at + 3, 2)) * minute +
                             digits(line.substr(at + 6, 2))};
  std::size_t next = at + 8;
  if (next + 1 < line.size() && (line[next] == '.' || line[next] == ',') &&
      is_digit(line[next + 1])) {
    constexpr double finest = 1e-9;
    for (++next; next < line.size() && is_digit(line[next]) && stamp.resolution > finest; ++next) {
      stamp.resolution /= 10;
      stamp.seconds += (line[next] - '0') * stamp.resolution;
    }
  }
  const bool has_separator = at > 0 && (line[at - 1] == ' ' || line[at - 1] == 'T');
  if (const auto date = has_separator ? date_before(line.substr(0, at - 1)) : std::nullopt) {
    stamp.seconds += *date * day;
    stamp.has_date = true;
  }
  return stamp;
}

}  // namespace

std::optional<TimeStamp> time_stamp_of(std::string_view line) {
  for (std::size_t colon = line.find(':'); colon != std::string_view::npos;
       colon = line.find(':', colon + 1))
    if (colon >= 2 && is_time_at(line, colon - 2)) return stamp_at(line, colon - 2);
  return {};
}

double seconds_between(const TimeStamp& from, const TimeStamp& to) {
  constexpr double day = 86400;
  const double passed = to.seconds - from.seconds;
  return !from.has_date && !to.has_date && passed < 0 ? passed + day : passed;
}

}  // namespace formats
}  // namespace tofn
