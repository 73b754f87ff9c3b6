#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace tofn {

/// 'a' of 'A'; only ASCII has letters of two cases here.
char lower_case(char letter);
std::string lower_case(std::string_view text);

/// `1 rank`, `2 ranks`; with the ending "es" `2 passes`.
template <std::integral Count>
std::string counted(Count count, std::string_view noun, std::string_view ending = "s") {
  std::string text = std::to_string(count).append(" ").append(noun);
  return count == 1 ? text : text.append(ending);
}

/// In single quotes, as a shell takes any text.
std::string shell_quoted(std::string_view text);
/// A word as a shell takes it back: in quotes only where it needs them.
std::string shell_word(std::string_view word);

}  // namespace tofn
