#include "microbench/harness/row_text.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "microbench/harness/summary.hpp"

namespace tofn::bench {
namespace {

constexpr auto layout = "{:>10} {:>21} {:>8} {:>7} {:>5}";

/// An interval such as `12.20 - 12.50`, in us; `unknown` if it is extremely wide.
std::string interval_text(const Interval& interval) {
  constexpr double widest = 1e3;
  if (interval.high > widest * interval.low) return "unknown";
  return fmt::format("{} - {}", short_number(1e6 * interval.low),
                     short_number(1e6 * interval.high));
}

}  // namespace

std::string time_headings() {
  return fmt::format(layout, "time", "95 % interval", "repeat", "samples", "outl.");
}

std::string time_units() { return fmt::format(layout, "(us)", "(us)", "(%)", "", ""); }

std::string time_columns(const RecordPoint& point) {
  const RecordSummary& summary = point.summary;
  const double repeat = (summary.repeat.high - summary.repeat.low) / 2 / summary.median;
  return fmt::format(layout, short_number(1e6 * summary.median), interval_text(summary.interval),
                     fmt::format("±{}", percent_within(repeat)), point.samples().size(),
                     count_outliers(point.samples()));
}

std::string short_number(double value) {
  constexpr int digits = 4;
  if (value == 0 || !std::isfinite(value)) return fmt::format("{}", value);
  const int before_point = static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
  if (before_point < -2) return fmt::format("{:.2e}", value);
  return fmt::format("{:.{}f}", value, std::clamp(digits - before_point, 0, digits));
}

std::string notes(const RecordPoint& point) {
  std::string text;
  for (const std::string& flag : point.flags)
    if (!flag.starts_with("outliers")) text += (text.empty() ? "" : "; ") + flag;
  return text;
}

std::string figure(const RecordPoint& point, std::string_view name) {
  for (const auto& [each, value] : point.figures)
    if (each == name) return short_number(value);
  return "-";
}

}  // namespace tofn::bench
