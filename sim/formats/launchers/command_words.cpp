#include <algorithm>
#include <string_view>

#include "sim/formats/launchers/launch_command.hpp"
#include "sim/formats/text/log_text.hpp"

namespace tofn {
inline namespace formats {

std::optional<CommandOption> option_of(const Glyphs& word) {
  std::string name;
  std::size_t dashes = 0;
  while (dashes < word.size() && dashes < 2 && word[dashes].character == '-' &&
         word[dashes].unknown == 0)
    ++dashes;
  if (dashes == 0 || dashes == word.size()) return std::nullopt;
  const char first = word[dashes].character;
  const bool is_number = is_digit(first) || first == '.';
  if (dashes == 1 && is_number) return std::nullopt;  // a negative number
  for (std::size_t i = dashes; i < word.size(); ++i) {
    if (word[i].unknown > 0) return std::nullopt;
    if (word[i].character == '=')
      return CommandOption{name,
                           Glyphs(word.begin() + static_cast<std::ptrdiff_t>(i) + 1, word.end())};
    name += word[i].character;
  }
  return CommandOption{name, std::nullopt};
}

std::optional<CommandOption> pair_of(const Glyphs& word) {
  std::string name;
  for (std::size_t i = 0; i < word.size() && word[i].unknown == 0; ++i) {
    const char character = word[i].character;
    if (character == '=' && !name.empty())
      return CommandOption{name,
                           Glyphs(word.begin() + static_cast<std::ptrdiff_t>(i) + 1, word.end())};
    const bool names = is_of_a_word(character) ||
                       std::string_view(".+~@").find(character) != std::string_view::npos;
    if (!names) return std::nullopt;
    name += character;
  }
  return std::nullopt;
}

bool is_all_unknown(const Glyphs& word) {
  return !word.empty() &&
         std::ranges::all_of(word, [](const Glyph& glyph) { return glyph.unknown > 0; });
}

}  // namespace formats
}  // namespace tofn
