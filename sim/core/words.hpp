#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

namespace tofn {

/// Lower case of a letter; only ASCII letters change.
char lower_case(char letter);
std::string lower_case(std::string_view text);

/// Text `1 rank`, `2 ranks`; with the ending "es" `2 passes`.
template <std::integral Count>
std::string counted(Count count, std::string_view noun, std::string_view ending = "s") {
  std::string text = std::to_string(count).append(" ").append(noun);
  return count == 1 ? text : text.append(ending);
}

/// Text `a`, `a and b`, `a, b and c`.
std::string enumerated(const std::vector<std::string>& names);

/// Quotes any text for a shell, in single quotes.
std::string shell_quoted(std::string_view text);
/// Quotes a word for a shell only if it needs quotes.
std::string shell_word(std::string_view word);

}  // namespace tofn
