#include "sim/blocks/progress_line.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tofn {
inline namespace blocks {
namespace {

constexpr std::chrono::milliseconds terminal_pause{200};
constexpr std::chrono::seconds line_pause{10};

/// A rate to three significant digits.
std::string rate_text(double rate) {
  if (rate < 10) return fmt::format("{:.2g}/s", rate);
  const double unit = std::pow(10.0, std::max(0.0, std::floor(std::log10(rate)) - 2));
  return grouped(static_cast<std::uint64_t>(std::round(rate / unit) * unit)) + "/s";
}

}  // namespace

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::ceil(seconds));
  if (whole < 100) return fmt::format("{} s", whole);
  const std::uint64_t minutes = (whole + 59) / 60;
  if (minutes < 100) return fmt::format("{} min", minutes);
  return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
}

std::string grouped(std::uint64_t number) {
  std::string text = fmt::format("{}", number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

std::string grouped_count(std::uint64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(number), noun, number == 1 ? "" : "s");
}

std::string progress_text(const BlockProgress& progress) {
  const auto done = static_cast<double>(progress.done);
  std::string text = fmt::format(
      "{:.0f} % {} of {} points",
      progress.points > 0 ? std::floor(100 * done / static_cast<double>(progress.points)) : 100.0,
      grouped(progress.done), grouped(progress.points));
  if (progress.is_stopping) return text + ", ending once the blocks that run are done";
  const auto now_done = static_cast<double>(progress.done - progress.resumed);
  if (now_done <= 0 || progress.seconds <= 0) return text;
  const double rate = now_done / progress.seconds;
  return fmt::format("{}, {}, {} left", text, rate_text(rate),
                     duration_text(static_cast<double>(progress.points - progress.done) / rate));
}

ProgressLine::ProgressLine(std::ostream& stream, bool is_terminal)
    : stream_(stream),
      is_terminal_(is_terminal),
      due_(std::chrono::steady_clock::now() +
           (is_terminal ? std::chrono::seconds(0) : line_pause)) {}

void ProgressLine::show(const BlockProgress& progress) {
  const auto now = std::chrono::steady_clock::now();
  const bool has_begun_to_stop = progress.is_stopping && !is_stopping_;
  if (now < due_ && !has_begun_to_stop) return;
  is_stopping_ = progress.is_stopping;
  due_ = now + (is_terminal_ ? terminal_pause : std::chrono::milliseconds(line_pause));
  clear();
  stream_ << progress_text(progress) << (is_terminal_ ? "" : "\n") << std::flush;
  has_line_ = is_terminal_;
}

void ProgressLine::clear() {
  if (has_line_) stream_ << "\r\x1b[K";
  has_line_ = false;
}

}  // namespace blocks
}  // namespace tofn
