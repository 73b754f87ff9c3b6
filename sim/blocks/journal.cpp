#include "sim/blocks/journal.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "sim/core/digest.hpp"

namespace tofn {
inline namespace blocks {
namespace {

constexpr std::string_view identity_word = "with";
constexpr std::string_view entry_word = "done";
constexpr std::string_view finished_word = "finished";

std::string line_of(const std::string& text) { return digest_of(text) + ' ' + text + '\n'; }

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t tab = text.find('\t'); tab != std::string_view::npos; tab = text.find('\t')) {
    parts.emplace_back(text.substr(0, tab));
    text.remove_prefix(tab + 1);
  }
  parts.emplace_back(text);
  return parts;
}

std::uint64_t number(const std::string& text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

void read_line(std::string_view line, Journal& journal) {
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos) return;
  const std::string_view text = line.substr(space + 1);
  if (digest_of(text) != line.substr(0, space)) return;
  const std::vector<std::string> parts = split(text);
  if (parts[0] == identity_word && parts.size() == 3)
    journal.identity.push_back({.name = parts[1], .value = parts[2]});
  else if (parts[0] == entry_word && parts.size() == 5)
    journal.entries.push_back({.blocks = number(parts[1]),
                               .rows = number(parts[2]),
                               .bytes = number(parts[3]),
                               .digest = parts[4]});
  else if (parts[0] == finished_word)
    journal.is_finished = true;
}

}  // namespace

Journal parse_journal(std::string_view text) {
  Journal journal;
  // A line without its line feed was still being written.
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    read_line(text.substr(0, end), journal);
    text.remove_prefix(end + 1);
  }
  return journal;
}

std::string journal_lines(std::span<const IdentityPart> identity) {
  std::string lines;
  for (const IdentityPart& part : identity)
    lines += line_of(fmt::format("{}\t{}\t{}", identity_word, part.name, part.value));
  return lines;
}

std::string journal_line(const JournalEntry& entry) {
  return line_of(fmt::format("{}\t{}\t{}\t{}\t{}", entry_word, entry.blocks, entry.rows,
                             entry.bytes, entry.digest));
}

std::string journal_finished_line() { return line_of(std::string(finished_word)); }

std::optional<std::string> difference(std::span<const IdentityPart> found,
                                      std::span<const IdentityPart> wanted) {
  for (const IdentityPart& part : wanted) {
    const auto same = std::ranges::find(found, part.name, &IdentityPart::name);
    if (same == found.end()) return fmt::format("no {} rather than {}", part.name, part.value);
    if (same->value != part.value)
      return fmt::format("{} {} rather than {}", part.name, same->value, part.value);
  }
  return {};
}

}  // namespace blocks
}  // namespace tofn
