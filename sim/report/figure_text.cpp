#include "sim/report/figure_text.hpp"

#include <cmath>

#include <fmt/format.h>

#include "sim/core/count_text.hpp"

namespace tofn {
inline namespace report {

std::string short_figure(double value) {
  const double size = std::abs(value);
  if (size < 0.0995) return fmt::format("{:.3g}", value);
  if (size >= 9999.5) return count_text(value, 3);
  return fmt::format("{:.{}f}", value, size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}

std::string percent(double share) { return fmt::format("{:.1f}", 100 * share); }
std::string whole_percent(double share) { return fmt::format("{:.0f}", 100 * share); }
std::string signed_percent(double share) { return fmt::format("{:+.1f}", 100 * share); }

std::string milliseconds(Seconds time) { return fmt::format("{:.3f}", time.base() * 1e3); }
std::string short_milliseconds(Seconds time) { return short_figure(time.base() * 1e3); }

std::string samples_text(double samples) {
  return samples >= 1e6 ? fmt::format("{:.3f}M", samples / 1e6) : fmt::format("{:.0f}", samples);
}

double gigabytes(Bytes bytes) { return bytes.base() / 1e9; }

}  // namespace report
}  // namespace tofn
