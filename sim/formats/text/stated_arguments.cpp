#include "sim/formats/text/stated_arguments.hpp"

#include <algorithm>
#include <optional>

#include "sim/formats/text/log_text.hpp"

namespace tofn {
inline namespace formats {
namespace {

/// Returns the single value of a name that is the line's first word.
std::optional<LogWord> value_of(const LogLine& line, std::string_view name) {
  const auto words = line.words();
  if (words.empty() || !words.front().text.starts_with(name)) return {};
  std::string_view end = words.front().text.substr(name.size());
  if (end.find_first_not_of(":=") != std::string_view::npos) return {};
  std::size_t next = 1;
  while (next < words.size() && words[next].text.find_first_not_of(".:=") == std::string_view::npos)
    ++next;
  const bool is_marked = next > 1 || !end.empty();
  if (!is_marked || next + 1 != words.size()) return {};
  LogWord value = words[next];
  if (value.text.ends_with("..updated"))  // GPT-NeoX: `44.....updated`
    value.text = value.text.substr(0, value.text.find(".."));
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

}  // namespace formats
}  // namespace tofn
