#include "sim/formats/text/stated_arguments.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "sim/formats/text/log_text.hpp"

namespace tofn {
inline namespace formats {
namespace {

/// Text behind groups in brackets that a logger puts before its own: `[INFO] [config.py:1:print] `.
std::string_view without_brackets(std::string_view text) {
  for (text = trimmed(text); text.starts_with('['); text = trimmed(text)) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) return text;
    text.remove_prefix(end + 1);
    if (text.starts_with(':')) text.remove_prefix(1);  // `[rank0]:`
  }
  return text;
}

/// Returns the words of the line from the name on, if that is its first word.
std::vector<LogWord> words_from(const LogLine& line, std::string_view name) {
  const std::string_view text = without_brackets(line.text);
  if (!text.starts_with(name)) return {};
  auto words = line.words();
  std::erase_if(words, [&](const LogWord& each) { return each.text.data() < text.data(); });
  return words;
}

/// Returns the value of a name that is the line's first word: the only word behind it, or the first
/// one behind the dots of a dump.
std::optional<LogWord> value_of(const LogLine& line, std::string_view name) {
  const auto words = words_from(line, name);
  if (words.empty()) return {};
  std::string_view end =
      words.front().text.substr(std::min(name.size(), words.front().text.size()));
  if (end.find_first_not_of(":=") != std::string_view::npos) return {};
  std::size_t next = 1;
  while (next < words.size() && words[next].text.find_first_not_of(".:=") == std::string_view::npos)
    ++next;
  const bool is_marked = next > 1 || !end.empty();
  const bool is_dump = next == 2 && words[1].text.starts_with("....");
  if (!is_marked || next >= words.size() || (next + 1 != words.size() && !is_dump)) return {};
  LogWord value = words[next];
  if (value.text.ends_with("..updated"))  // GPT-NeoX: `44.....updated`
    value.text = value.text.substr(0, value.text.find(".."));
  if (value.text.ends_with(',')) value.text.remove_suffix(1);  // of JSON
  return value;
}

}  // namespace

std::vector<StatedArgument> stated_arguments(std::string_view text, const std::string& file,
                                             std::span<const std::string_view> names) {
  const std::string plain = without_colours(text);
  const LogText log = cut_into_lines(plain, file);
  std::vector<StatedArgument> stated;
  for (const LogLine& line : log.lines)
    for (const std::string_view name : names) {
      const auto value = value_of(line, name);
      const bool is_known =
          std::ranges::any_of(stated, [&](const auto& each) { return each.name == name; });
      if (value && !is_known)
        stated.push_back({.name = std::string(name),
                          .value = std::string(value->text),
                          .place = log.location(line, *value)});
    }
  return stated;
}

std::vector<StatedArgument> stated_phrases(std::string_view text, const std::string& file,
                                           std::span<const std::string_view> phrases) {
  const std::string plain = without_colours(text);
  const LogText log = cut_into_lines(plain, file);
  std::vector<StatedArgument> stated;
  for (const std::string_view phrase : phrases) {
    const auto line = std::ranges::find_if(log.lines, [&](const LogLine& each) {
      return each.text.find(phrase) != std::string_view::npos;
    });
    if (line == log.lines.end()) continue;
    stated.push_back({.name = std::string(phrase),
                      .value = fmt::format("'{}'", phrase),
                      .place = log.location(*line)});
  }
  return stated;
}

}  // namespace formats
}  // namespace tofn
