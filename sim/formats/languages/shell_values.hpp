#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/formats/languages/shell_syntax.hpp"

namespace tofn {
inline namespace formats {

/// Value of a variable: one text, or the elements of an array.
struct ShellValue {
  bool is_array = false;
  std::vector<Glyphs> items{};
};
using ShellVariables = std::map<std::string, ShellValue, std::less<>>;

/// Expands the words of a script. The environment has no variables, and the script has no
/// arguments, so that `${TP:-8}` is 8, and `$TP` alone is unknown.
class ShellExpander {
 public:
  ShellExpander(ShellSources& sources, const ShellVariables& variables)
      : sources_(sources), variables_(variables) {}

  /// Words that a command gets from one word.
  std::vector<Glyphs> fields(const ShellWord& word);
  /// Text of the word without splitting, as assignments take it.
  Glyphs text(const ShellWord& word);
  /// Treats unset variables as empty, as tests do.
  void take_unset_as_empty() { unset_is_empty_ = true; }

 private:
  Glyphs join(const std::vector<ShellPart>& parts);
  void append(Glyphs& to, const Glyphs& from);
  void append_part(Glyphs& to, const ShellPart& part);
  Glyphs unknown(const ShellPart& part, std::string_view reason);
  Glyphs variable(const ShellPart& part);
  /// Elements that the part's index selects, joined by blanks; absent if the index is not
  /// understood.
  std::optional<Glyphs> indexed(const ShellPart& part, const ShellValue& value);
  Glyphs arithmetic(const ShellPart& part);
  const ShellValue* find(const ShellPart& part) const;
  std::vector<Glyphs> elements(const ShellPart& part);

  ShellSources& sources_;
  const ShellVariables& variables_;
  bool unset_is_empty_ = false;
};

/// Value of the text inside `$(( ... ))` with these variables; absent if it is not a whole number,
/// or if it divides by zero.
std::optional<long long> shell_arithmetic(std::string_view text, const ShellVariables& variables);

/// Result of `[ ... ]` or `[[ ... ]]`, given its words without the brackets; absent if it depends
/// on an unknown value or on a file.
std::optional<bool> shell_test(const std::vector<Glyphs>& words);

/// Text of a value; absent if part of it is unknown.
std::optional<std::string> known_text(const Glyphs& glyphs);

/// True if the text matches a pattern of `*` and `?`.
bool fits_pattern(std::string_view text, std::string_view pattern);

}  // namespace formats
}  // namespace tofn
