#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tofn {
inline namespace report {

/// The text in lines of at most `width` characters: tables (`TextTable`) go on below with their
/// first column again, prose and cells that are wider are broken at spaces.
std::string with_line_width(std::string_view text, std::size_t width);

}  // namespace report
}  // namespace tofn
