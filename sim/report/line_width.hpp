#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tofn {
inline namespace report {

/// The text in lines of at most `width` characters: tables (`TextTable`) go on below with their
/// first column again, prose is broken at spaces. A column or a word that is wider stays.
std::string with_line_width(std::string_view text, std::size_t width);

}  // namespace report
}  // namespace tofn
