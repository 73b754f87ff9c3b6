#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tofn {
inline namespace report {

/// Width of the labels of lines such as `plan          tp 2, pp 4`.
inline constexpr std::size_t label_width = 14;
/// Number of characters of the line's label; 0 if it has none.
std::size_t label_of(std::string_view line);

/// Returns the text in lines of at most `width` characters. Names in tables (`text_table`), but
/// no keys, lose their middle, down to 26 characters. Tables that are still wider continue below,
/// with their first column repeated. Prose and wider cells are broken at spaces.
std::string with_line_width(std::string_view text, std::size_t width);

}  // namespace report
}  // namespace tofn
