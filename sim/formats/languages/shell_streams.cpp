#include <algorithm>
#include <optional>
#include <string_view>

#include "sim/core/file.hpp"
#include "sim/formats/languages/shell_interpreter.hpp"
#include "sim/formats/text/log_text.hpp"

namespace tofn {
inline namespace formats {
namespace {

struct SedEdit {
  Glyphs word;
  Glyphs replacement;
  bool is_global = false;
};

bool is_known(const Glyph& glyph, char character) {
  return glyph.unknown == 0 && glyph.character == character;
}

std::optional<SedEdit> sed_edit(const Glyphs& edit) {
  if (edit.size() < 4 || !is_known(edit[0], 's') || edit[1].unknown > 0) return std::nullopt;
  const char mark = edit[1].character;
  const auto is_mark = [&](const Glyph& glyph) { return is_known(glyph, mark); };
  const auto middle = std::find_if(edit.begin() + 2, edit.end(), is_mark);
  if (middle == edit.end()) return std::nullopt;
  const auto end = std::find_if(middle + 1, edit.end(), is_mark);
  if (end == edit.end()) return std::nullopt;
  SedEdit read{.word = Glyphs(edit.begin() + 2, middle), .replacement = Glyphs(middle + 1, end)};
  read.is_global = end + 1 != edit.end() && is_known(*(end + 1), 'g');
  const auto is_plain = [](const Glyph& glyph) {
    return glyph.unknown == 0 &&
           (is_of_a_word(glyph.character) ||
            std::string_view("-<>{}@%").find(glyph.character) != std::string_view::npos);
  };
  const bool is_word = !read.word.empty() && std::ranges::all_of(read.word, is_plain);
  const bool escapes = std::ranges::any_of(read.replacement, [](const Glyph& glyph) {
    return is_known(glyph, '\\') || is_known(glyph, '&');
  });
  return is_word && !escapes ? std::optional(read) : std::nullopt;
}

/// Text after sed's `s/WORD/OTHER/`, which replaces the first match of each line, or with `g` all.
/// Absent if it is another edit, or if WORD is a pattern.
std::optional<Glyphs> edited(const Glyphs& text, const Glyphs& edit) {
  const auto read = sed_edit(edit);
  if (!read) return std::nullopt;
  Glyphs result;
  bool is_done = false;  // true after a replacement on this line
  for (auto at = text.begin(); at != text.end();) {
    const auto left = static_cast<std::size_t>(text.end() - at);
    if ((read->is_global || !is_done) && left >= read->word.size() &&
        std::equal(read->word.begin(), read->word.end(), at,
                   [](const Glyph& of_word, const Glyph& of_text) {
                     return is_known(of_text, of_word.character);
                   })) {
      result.insert(result.end(), read->replacement.begin(), read->replacement.end());
      at += static_cast<std::ptrdiff_t>(read->word.size());
      is_done = true;
      continue;
    }
    if (is_known(*at, '\n')) is_done = false;
    result.push_back(*at++);
  }
  return result;
}

}  // namespace

/// Text of a file that the script wrote, or that lies beside it; absent if it is not there.
std::optional<Glyphs> ShellInterpreter::text_of_file(const std::string& name) {
  if (const auto written = run_.files.find(name); written != run_.files.end())
    return written->second;
  const std::filesystem::path path = folder_ / name;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  const std::string text = read_text_file(path);
  run_.sources.spend(text.size(), 0);
  const std::uint32_t begin = run_.sources.add(text, path.string());
  Glyphs glyphs;
  for (std::uint32_t at = begin; at < begin + text.size(); ++at)
    glyphs.push_back(run_.sources.glyph(at, true));
  return glyphs;
}

/// Applies sed to a text, as scripts fill in templates of JSON: `sed s/A/B/ FILE | sed s/C/D/ >
/// OTHER`.
void ShellInterpreter::edit_stream(const ShellNode& node, const std::vector<Glyphs>& words) {
  std::optional<Glyphs> text = stream_;
  std::vector<const Glyphs*> edits;
  std::string file;
  bool is_in_place = false;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string word = known_text(words[i]).value_or("");
    if (word == "-i")
      is_in_place = true;
    else if (edits.empty() || known_text(words[i - 1]) == "-e")
      edits.push_back(word == "-e" ? nullptr : &words[i]);
    else if (word != "-e")
      text = text_of_file(file = word);
  }
  std::erase(edits, nullptr);
  for (const Glyphs* edit : edits) {
    if (text) run_.sources.spend(text->size(), node.begin);
    text = text ? edited(*text, *edit) : std::nullopt;
  }
  if (is_in_place && text) run_.files[file] = *text;
  ShellExpander expander(run_.sources, state_.variables);
  for (const ShellRedirect& redirect : node.redirects)
    if (redirect.operation == ">" && text)
      if (const auto path = known_text(expander.text(redirect.target))) run_.files[*path] = *text;
  stream_ = std::move(text);
}

}  // namespace formats
}  // namespace tofn
