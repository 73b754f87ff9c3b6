#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"

namespace tofn {
inline namespace launch {

enum class PythonKind { Name, Number, Text, FormattedText, Sign, LineEnd, Indent, Dedent, End };

struct PythonToken {
  PythonKind kind = PythonKind::End;
  std::string text{};     ///< of a text its value
  std::size_t begin = 0;  ///< bytes of the file
  std::size_t end = 0;
  int line = 0;
  int column = 0;
  std::size_t partner = 0;  ///< of an opening bracket: the token that closes it
};

/// The tokens of a file in Python; the last is End. Throws InputError where a text or a bracket is
/// not closed, where blocks do not line up, and where brackets are nested deeper than 64.
std::vector<PythonToken> python_tokens(std::string_view text, const std::string& file);

}  // namespace launch
}  // namespace tofn
