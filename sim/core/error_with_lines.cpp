#include "sim/core/error_with_lines.hpp"

#include <algorithm>

namespace tofn {

InputErrorWithLines::InputErrorWithLines(const Location& location, std::string_view key,
                                         std::string_view problem, std::string_view lines)
    : InputError(location, key, problem), whole_(InputError::what()) {
  for (std::size_t start = 0; start < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', start), lines.size());
    // InputError makes each line plain, like the first one.
    whole_ += "\n    " + std::string(InputError(lines.substr(start, end - start)).what());
    start = end + 1;
  }
}

}  // namespace tofn
