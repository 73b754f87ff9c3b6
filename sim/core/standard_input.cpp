#include "sim/core/standard_input.hpp"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <string_view>

#include "sim/core/utf8.hpp"

namespace tofn {
namespace {

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/// Removes and returns the first line of the text that is neither blank nor a comment nor `---`.
/// Empty if there is none.
std::string_view take_line(std::string_view& text) {
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::size_t start = line.find_first_not_of(" \t");
    if (start != line.npos && line[start] != '#' && line != "---") return line;
  }
  return {};
}

bool starts_object(std::string_view line) {
  const std::size_t start = line.find_first_not_of(" \t");
  return start != line.npos && line[start] == '{';
}

/// True for `name:` or `name: value` without indentation.
bool is_yaml_key(std::string_view line) {
  const auto end = std::ranges::find_if_not(line, is_word_character);
  const std::string_view rest = line.substr(static_cast<std::size_t>(end - line.begin()));
  return end != line.begin() && (rest == ":" || rest.starts_with(": "));
}

/// True for names of columns, `round,nodes,minutes`.
bool is_csv_head(std::string_view line) {
  return line.find(',') != line.npos &&
         std::ranges::all_of(line, [](char c) { return is_word_character(c) || c == ','; });
}

}  // namespace

bool is_standard_input(const std::filesystem::path& path) { return path == "-"; }

std::string file_label(const std::filesystem::path& path) {
  return is_standard_input(path) ? "standard input" : path.string();
}

const std::string& standard_input_text() {
  static const std::string text(std::istreambuf_iterator<char>(std::cin), {});
  return text;
}

std::string file_ending(const std::filesystem::path& path) {
  return is_standard_input(path) ? ending_by_content(standard_input_text())
                                 : path.extension().string();
}

bool is_yaml(const std::filesystem::path& path) {
  const std::string ending = file_ending(path);
  return ending == ".yaml" || ending == ".yml";
}

std::string ending_by_content(std::string_view text) {
  text = without_byte_order_mark(text);
  const std::string_view line = take_line(text);
  // One object per line is the format of a log and not a JSON document.
  if (starts_object(line)) return starts_object(take_line(text)) ? "" : ".json";
  if (is_yaml_key(line)) return ".yaml";
  return is_csv_head(line) ? ".csv" : "";
}

}  // namespace tofn
