#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tofn {
inline namespace report {

/// Of lines with a label at their left: `plan          tp 2, pp 4`.
inline constexpr std::size_t label_width = 14;
/// Characters of the line's label; 0: it has none.
std::size_t label_of(std::string_view line);

/// The text in lines of at most `width` characters: names in tables (`TextTable`) lose their middle
/// down to 26 characters, tables that are still wider go on below with their first column again,
/// prose and cells that are wider are broken at spaces.
std::string with_line_width(std::string_view text, std::size_t width);

}  // namespace report
}  // namespace tofn
