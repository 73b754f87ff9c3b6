#include "sim/app/screen.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "sim/report/line_width.hpp"

namespace tofn {
inline namespace app {
namespace {

constexpr std::size_t least_width = 40;
constexpr std::size_t default_width = 100;

std::string_view variable(const char* name) {
  const char* set = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return set == nullptr ? std::string_view() : std::string_view(set);
}

/// True if the file descriptor is a terminal that understands control sequences.
bool takes_control(int file) {
  const std::string_view terminal = variable("TERM");
  return !terminal.empty() && terminal != "dumb" && isatty(file) == 1;
}

constexpr std::string_view bold = "\x1b[1m";
constexpr std::string_view dim = "\x1b[2m";
constexpr std::string_view red = "\x1b[31m";
constexpr std::string_view plain = "\x1b[0m";

constexpr std::array<std::string_view, 9> warning_words{
    "DOES NOT FIT", "MAY NOT FIT", "may not fit", "NO PLAN KEEPS", "NO PLAN THAT WAS TRIED KEEPS",
    "WARNING",      "STOPPED:",    "SLOW",        "slower than"};

std::string coloured_line(std::string_view line, bool is_first) {
  if (line.empty()) return {};
  const bool warns = std::ranges::any_of(
      warning_words, [&](std::string_view word) { return line.find(word) != line.npos; });
  if (warns) return fmt::format("{}{}{}", red, line, plain);
  if (is_first) return fmt::format("{}{}{}", bold, line, plain);
  const std::size_t label = label_of(line);
  if (label == 0) return std::string(line);
  return fmt::format("{}{}{}{}", dim, line.substr(0, label), plain, line.substr(label));
}

}  // namespace

std::string fitted_to_screen(std::string_view text) {
  std::size_t width = std::strtoul(std::string(variable("COLUMNS")).c_str(), nullptr, 10);
  winsize terminal{};
  if (width == 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &terminal) == 0) width = terminal.ws_col;
  return with_line_width(text, width == 0 ? default_width : std::max(width, least_width));
}

bool has_colour() { return variable("NO_COLOR").empty() && takes_control(STDOUT_FILENO); }

bool can_show_progress() { return takes_control(STDERR_FILENO); }

std::string coloured(std::string_view text) {
  std::string out;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    out += coloured_line(text.substr(start, end - start), start == 0) + '\n';
    start = end + 1;
  }
  return out;
}

}  // namespace app
}  // namespace tofn
