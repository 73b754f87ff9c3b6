#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/launch/shell_syntax.hpp"

namespace tofn {
inline namespace launch {

/// A variable: one text, or the elements of an array.
struct ShellValue {
  bool is_array = false;
  std::vector<Glyphs> items{};
};
using ShellVariables = std::map<std::string, ShellValue, std::less<>>;

/// What the words of a script become. The environment has no variables, and the script was called
/// without arguments: `${TP:-8}` is 8, and `$TP` alone is not known.
class ShellExpander {
 public:
  ShellExpander(ShellSources& sources, const ShellVariables& variables)
      : sources_(sources), variables_(variables) {}

  /// The words that a command gets of one word.
  std::vector<Glyphs> fields(const ShellWord& word);
  /// The word as one text, as assignments take it.
  Glyphs text(const ShellWord& word);
  /// In tests, a variable that is not set is empty.
  void take_unset_as_empty() { unset_is_empty_ = true; }

 private:
  Glyphs join(const std::vector<ShellPart>& parts);
  void append(Glyphs& to, const Glyphs& from);
  void append_part(Glyphs& to, const ShellPart& part);
  Glyphs unknown(const ShellPart& part, std::string_view reason);
  Glyphs variable(const ShellPart& part);
  /// Absent where the index is not understood.
  std::optional<Glyphs> indexed(const ShellPart& part, const ShellValue& value);
  Glyphs arithmetic(const ShellPart& part);
  const ShellValue* find(const ShellPart& part) const;
  std::vector<Glyphs> elements(const ShellPart& part);

  ShellSources& sources_;
  const ShellVariables& variables_;
  bool unset_is_empty_ = false;
};

/// The value of `$(( ... ))`, whose text has its variables in place; nothing where it is no whole
/// number, or divides by zero.
std::optional<long long> shell_arithmetic(std::string_view text, const ShellVariables& variables);

/// The known text of a value, or nothing.
std::optional<std::string> known_text(const Glyphs& glyphs);

/// Whether a text fits a pattern of `*` and `?`.
bool fits_pattern(std::string_view text, std::string_view pattern);

}  // namespace launch
}  // namespace tofn
