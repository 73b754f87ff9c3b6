#include "tests/fuzz/learned.hpp"

#include <algorithm>

#include "sim/config/file_keys.hpp"

namespace tofn::fuzz {
namespace {

const std::vector<std::string> nothing;
constexpr std::size_t most_paths = 4096;  // maps with free keys have endless paths
constexpr std::size_t most_words = 512;

std::string_view after(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  return at == text.npos ? std::string_view() : text.substr(at + mark.size());
}

std::string_view before(std::string_view text, std::string_view mark) {
  return text.substr(0, text.find(mark));
}

/// Path as refusals print it: `a.b[].c` of a list becomes `a.b.c`.
std::string plain_path(std::string key) {
  for (auto at = key.find("[]"); at != key.npos; at = key.find("[]")) key.erase(at, 2);
  return key;
}

/// The line without its `file:line:column: `.
std::string_view without_place(std::string_view line) {
  const std::size_t at = line.find(": ");
  return at == line.npos ? line : line.substr(at + 2);
}

/// The key of `key: problem`; empty if the text before the colon has blanks.
std::string path_of(std::string_view reported) {
  const std::size_t at = reported.find(": ");
  const std::string_view path = reported.substr(0, at == reported.npos ? 0 : at);
  return path.find(' ') == path.npos ? std::string(path) : std::string();
}

}  // namespace

Learned::Learned() {
  for (const FileKey& each : file_keys()) {
    const std::string path = plain_path(each.key);
    const std::size_t dot = path.rfind('.');
    const std::string map = dot == path.npos ? "" : path.substr(0, dot);
    add(keys_, map, path.substr(dot == path.npos ? 0 : dot + 1));
    const bool is_example = each.value.starts_with("such as ");
    if (is_example) add(values_, path, each.value.substr(8));
    if (!is_example && each.value.find(',') != each.value.npos) add_list(values_, path, each.value);
  }
}

void Learned::add(Words& words, const std::string& path, std::string_view word) {
  if (word.empty() || (words.size() >= most_paths && !words.contains(path))) return;
  std::vector<std::string>& known = words[path];
  if (known.size() >= most_words || std::find(known.begin(), known.end(), word) != known.end())
    return;
  known.emplace_back(word);
  if (&words == &keys_ && all_keys_.size() < most_paths) all_keys_.emplace_back(word);
}

void Learned::add_list(Words& words, const std::string& path, std::string_view list) {
  while (!list.empty()) {
    add(words, path, before(list, ", "));
    list = after(list, ", ");
  }
}

void Learned::hear(std::string_view refusal) {
  while (!refusal.empty()) {
    hear_line(before(refusal, "\n"));
    refusal = after(refusal, "\n");
  }
}

void Learned::hear_line(std::string_view line) {
  const std::string_view reported = without_place(line);
  const std::string path = path_of(reported);
  if (const auto key = after(reported, "missing key '"); !key.empty())
    return add(keys_, path, before(key, "'"));
  if (const auto example = after(reported, "such as '"); !example.empty())
    return add(values_, path, before(example, "'"));
  const bool is_of_keys = reported.find("unknown key '") != reported.npos;
  std::string_view list = after(after(reported, "valid "), "s: ");
  if (list.empty()) list = before(after(reported, "expected one of "), ", got");
  if (list.empty() || !heard_.insert(path + ' ' + std::string(list)).second) return;
  if (heard_.size() > most_paths) heard_.clear();
  add_list(is_of_keys ? keys_ : values_, path, list);
}

const std::vector<std::string>& Learned::keys(const std::string& path) const {
  const auto found = keys_.find(path);
  return found == keys_.end() ? nothing : found->second;
}

const std::vector<std::string>& Learned::values(const std::string& path) const {
  const auto found = values_.find(path);
  return found == values_.end() ? nothing : found->second;
}

Learned& learned() {
  static Learned all;
  return all;
}

}  // namespace tofn::fuzz
