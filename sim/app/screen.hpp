#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tofn {
inline namespace app {

/// Characters of a line where nothing says how many: a pipe, a file.
inline constexpr std::size_t usual_width = 100;

/// Characters that a line of standard output may have: what COLUMNS says, else what the terminal
/// has, else `usual_width`; never below 40.
std::size_t screen_width();

/// Whether text for people may be coloured: standard output is a terminal that can be, and
/// NO_COLOR (no-color.org) is not set.
bool has_colour();

/// Whether standard error is a terminal that can write a line anew.
bool can_show_progress();

/// The text with its first line in bold, labels at the left dimmed and what warns in red.
std::string coloured(std::string_view text);

}  // namespace app
}  // namespace tofn
