#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"

namespace tofn {
inline namespace formats {

enum class PythonKind { Name, Number, Text, FormattedText, Sign, LineEnd, Indent, Dedent, End };

struct PythonToken {
  PythonKind kind = PythonKind::End;
  std::string text{};     ///< source text; the value of a quoted text
  std::size_t begin = 0;  ///< offset in the file, bytes
  std::size_t end = 0;
  int line = 0;
  int column = 0;
  std::size_t partner = 0;  ///< token that closes it, if it is an opening bracket; otherwise 0
};

/// Tokens of a Python file; the last is End. Throws InputError if a text or a bracket is not
/// closed, if blocks do not line up, or if brackets are nested deeper than 64.
std::vector<PythonToken> python_tokens(std::string_view text, const std::string& file);

}  // namespace formats
}  // namespace tofn
