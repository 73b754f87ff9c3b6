#pragma once

#include <algorithm>
#include <concepts>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>

namespace tofn {

/// Lower case of a letter; only ASCII letters change.
char lower_case(char letter);
std::string lower_case(std::string_view text);

/// True if the list has the word.
template <class List = std::initializer_list<std::string_view>>
bool is_any_of(std::string_view word, const List& list) {
  return std::ranges::find(list, word) != std::end(list);
}

/// Name of a file without its folders.
inline std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

/// Text `1 rank`, `2 ranks`; with the ending "es" `2 passes`.
template <std::integral Count>
std::string counted(Count count, std::string_view noun, std::string_view ending = "s") {
  std::string text = std::to_string(count).append(" ").append(noun);
  return count == 1 ? text : text.append(ending);
}

/// Quotes any text for a shell, in single quotes.
std::string shell_quoted(std::string_view text);
/// Quotes a word for a shell only if it needs quotes.
std::string shell_word(std::string_view word);

}  // namespace tofn
