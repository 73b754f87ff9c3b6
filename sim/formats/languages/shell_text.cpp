#include "sim/formats/languages/shell_text.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "sim/core/utf8.hpp"

namespace tofn {
inline namespace formats {
namespace {

constexpr std::size_t longest_sources = 64'000'000;

}  // namespace

std::uint32_t ShellSources::add(std::string_view text, std::string file) {
  if (text_.size() + text.size() >= longest_sources)
    throw InputError({.file = file}, {}, "is too long for a script");
  const auto begin = static_cast<std::uint32_t>(text_.size());
  regions_[begin] = {.file = std::move(file), .origin = {}};
  for (const char character : text) append(character);
  append('\n');  // no region is empty, and each ends its last line
  return begin;
}

std::uint32_t ShellSources::add(const Glyphs& glyphs) {
  const std::uint32_t first = glyphs.empty() ? 0 : glyphs.front().at;
  if (text_.size() + glyphs.size() >= longest_sources)
    fail(first, "the script grows too long as it is read");
  const auto begin = static_cast<std::uint32_t>(text_.size());
  for (const Glyph& glyph : glyphs) append(glyph.unknown > 0 ? unknown_mark : glyph.character);
  append('\n');
  Region& region = regions_[begin];
  region.origin = glyphs;
  region.origin.push_back({'\n', false, 0, glyphs.empty() ? 0 : glyphs.back().at});
  return begin;
}

void ShellSources::append(char character) {
  const auto at = static_cast<std::uint32_t>(text_.size());
  if (at == 0 || text_.back() == '\n') lines_.push_back(at);
  if (character_count(std::string_view(&character, 1)) == 0) inside_characters_.push_back(at);
  text_ += character;
}

std::pair<std::uint32_t, const ShellSources::Region*> ShellSources::region(std::size_t at) const {
  const auto next = regions_.upper_bound(static_cast<std::uint32_t>(at));
  const auto found = std::prev(next);
  return {found->first, &found->second};
}

Glyph ShellSources::glyph(std::size_t at, bool is_solid) const {
  const auto [begin, region] = this->region(at);
  Glyph glyph{text_[at], is_solid, 0, static_cast<std::uint32_t>(at)};
  if (region->file.empty()) {
    const Glyph& origin = region->origin[at - begin];
    glyph.at = origin.at;
    glyph.unknown = origin.unknown;
  }
  return glyph;
}

Location ShellSources::location(std::size_t at) const {
  const auto [begin, region] = this->region(at);
  if (region->file.empty())  // places behind the end of the text belong to its last character
    return location(region->origin[std::min(at - begin, region->origin.size() - 1)].at);
  const std::size_t line_start = *std::prev(std::upper_bound(lines_.begin(), lines_.end(), at));
  const auto rank = [](const std::vector<std::uint32_t>& list, std::size_t end) {
    return static_cast<int>(std::lower_bound(list.begin(), list.end(), end) - list.begin());
  };
  const int extra_bytes = rank(inside_characters_, at) - rank(inside_characters_, line_start);
  return {.file = region->file,
          .line = rank(lines_, line_start) - rank(lines_, begin) + 1,
          .column = static_cast<int>(at - line_start) - extra_bytes + 1};
}

void ShellSources::fail(std::size_t at, std::string_view problem) const {
  throw InputError(location(at), {}, problem);
}

Glyph ShellSources::add_unknown(std::string text, std::string_view reason, std::size_t at) {
  const std::uint32_t place = glyph(at, true).at;
  unknowns_.push_back({std::move(text), std::string(reason), place});
  return {'?', true, static_cast<std::uint32_t>(unknowns_.size()), place};
}

void ShellSources::spend(std::size_t characters, std::size_t at) {
  constexpr std::size_t most = 8'000'000;
  spent_ += characters;
  if (spent_ > most) fail(at, "the script grows too long as it is read");
}

std::string shown(const Glyphs& glyphs, const ShellSources& sources) {
  std::string text;
  for (const Glyph& glyph : glyphs)
    if (glyph.unknown > 0)
      text += sources.unknown(glyph.unknown).text;
    else
      text += glyph.character;
  return text;
}

std::uint32_t first_unknown(const Glyphs& glyphs) {
  for (const Glyph& glyph : glyphs)
    if (glyph.unknown > 0) return glyph.unknown;
  return 0;
}

}  // namespace formats
}  // namespace tofn
