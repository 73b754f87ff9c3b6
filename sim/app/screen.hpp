#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tofn {
inline namespace app {

/// Breaks a text into lines as wide as COLUMNS says, otherwise as the terminal, and at least 40
/// characters. Lines have at most 100 characters if neither gives a width, as in a pipe.
std::string fitted_to_screen(std::string_view text);

/// True if text for people may be coloured: standard output is a terminal that shows colours, and
/// NO_COLOR (no-color.org) is not set.
bool has_colour();

/// True if standard error is a terminal that can overwrite a line.
bool can_show_progress();

/// Colours a text: the first line is bold, labels at the left are dimmed, and warnings are red.
std::string coloured(std::string_view text);

}  // namespace app
}  // namespace tofn
