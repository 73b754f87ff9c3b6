#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tofn {
inline namespace app {

/// The text in lines as wide as COLUMNS says, else the terminal, and at least 40 characters. In a
/// pipe and in a file tables of 100 characters; lines of prose stay whole there, for programs that
/// look for them.
std::string fitted_to_screen(std::string_view text);

/// Whether text for people may be coloured: standard output is a terminal that can be, and
/// NO_COLOR (no-color.org) is not set.
bool has_colour();

/// Whether standard error is a terminal that can write a line anew.
bool can_show_progress();

/// The text with its first line in bold, labels at the left dimmed and what warns in red.
std::string coloured(std::string_view text);

}  // namespace app
}  // namespace tofn
