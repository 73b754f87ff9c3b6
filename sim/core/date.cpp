#include "sim/core/date.hpp"

#include <ctime>

#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"

namespace tofn {

std::optional<std::chrono::sys_days> parse_date(std::string_view text) {
  constexpr std::string_view form = "dddd-dd-dd";
  if (text.size() != form.size()) return {};
  for (std::size_t i = 0; i < form.size(); ++i)
    if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != '-') return {};
  long long year = 0;
  long long month = 0;
  long long day = 0;
  parse_integer(text.substr(0, 4), year);
  parse_integer(text.substr(5, 2), month);
  parse_integer(text.substr(8, 2), day);
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(year)),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return {};
  return std::chrono::sys_days(date);
}

std::chrono::sys_days today() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  constexpr int first_year = 1900;
  return std::chrono::sys_days(
      std::chrono::year_month_day{std::chrono::year(first_year + local.tm_year),
                                  std::chrono::month(static_cast<unsigned>(local.tm_mon + 1)),
                                  std::chrono::day(static_cast<unsigned>(local.tm_mday))});
}

std::string date_text(std::chrono::sys_days day) {
  const std::chrono::year_month_day date(day);
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

}  // namespace tofn
