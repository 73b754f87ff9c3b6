#include "sim/core/names.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/utf8.hpp"
#include "sim/core/words.hpp"

namespace tofn {
namespace {

/// Number of insertions, deletions, substitutions and swaps of neighbours that turn `a` into each
/// prefix of `b`, starting with the empty one (Damerau 1964, in the "optimal string alignment"
/// form, which edits no part twice).
std::vector<std::size_t> edit_distances(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row;
}

constexpr std::size_t longest_name = 200;  // bounds the work on hostile input

}  // namespace

std::optional<std::string> nearest_name(std::string_view wrong,
                                        std::span<const std::string> valid) {
  if (wrong.size() > longest_name) return std::nullopt;
  const std::size_t limit = std::max<std::size_t>(1, wrong.size() / 3);
  const std::string folded = lower_case(wrong);
  // Among names at the same distance, the one with fewer letters in the wrong case wins.
  using Distance = std::tuple<std::size_t, std::size_t>;
  Distance best{limit + 1, 0};
  std::optional<std::string> nearest;
  for (const std::string& name : valid) {
    const auto [shorter, longer] = std::minmax({wrong.size(), name.size()});
    if (longer - shorter > limit) continue;  // needs at least this many insertions
    const Distance distance{edit_distances(folded, lower_case(name)).back(),
                            edit_distances(wrong, name).back()};
    if (distance >= best) continue;
    best = distance;
    nearest = name;
  }
  return nearest;
}

std::string choices(std::span<const std::string> valid) {
  return fmt::format("{}", fmt::join(valid, ", "));
}

std::string list_text(std::span<const std::string> items, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text += i + 1 == items.size() ? fmt::format(" {} ", last) : ", ";
    text += items[i];
  }
  return text;
}

namespace {

/// True if a word of the name begins with `part`; case does not matter. A part of one or two
/// characters is too short.
bool has_word(const std::string& name, std::string_view part) {
  constexpr std::size_t shortest = 3;
  const std::string lower = lower_case(name);
  const std::size_t at = part.size() < shortest ? lower.npos : lower.find(lower_case(part));
  return at == 0 ||
         (at != lower.npos && std::isalnum(static_cast<unsigned char>(lower[at - 1])) == 0);
}

/// Nearest valid name, or otherwise the names with a word that begins with `wrong`.
std::vector<std::string> near_names(std::string_view wrong, std::span<const std::string> valid) {
  if (auto nearest = nearest_name(wrong, valid)) return {*std::move(nearest)};
  std::vector<std::string> near;
  std::ranges::copy_if(valid, std::back_inserter(near),
                       [&](const std::string& name) { return has_word(name, wrong); });
  return near;
}

/// The three nearest names: first those with a word that begins with `wrong`, then by the edits
/// from `wrong` to a prefix of the name, then by those to the whole name.
std::vector<std::string> nearest_three(std::string_view wrong, std::span<const std::string> valid) {
  if (wrong.size() > longest_name) return {};
  using Rank = std::tuple<bool, std::size_t, std::size_t, std::string>;
  std::set<Rank> ranks;  // two things may share a name
  for (const std::string& name : valid) {
    const auto distances = edit_distances(lower_case(wrong), lower_case(name));
    ranks.emplace(!has_word(name, wrong), *std::ranges::min_element(distances), distances.back(),
                  name);
  }
  std::vector<std::string> nearest;
  for (const Rank& rank : ranks)
    if (nearest.size() < 3) nearest.push_back(std::get<std::string>(rank));
  return nearest;
}

/// Text `, did you mean 'a', 'b' or 'c'? `, or a semicolon if there are none.
std::string question_of(std::span<const std::string> near) {
  std::vector<std::string> quoted;
  for (const std::string& name : near) quoted.push_back('\'' + name + '\'');
  return quoted.empty() ? "; " : fmt::format(", did you mean {}? ", list_text(quoted, "or"));
}

}  // namespace

std::string unknown_name(std::string_view what, std::string_view wrong,
                         std::span<const std::string> valid) {
  std::string text = fmt::format("unknown {} '{}'", what, shortened(wrong));
  if (valid.empty()) return text;
  return text + question_of(near_names(wrong, valid)) +
         fmt::format("valid {}s: {}", what, choices(valid));
}

std::string unknown_listed_name(std::string_view what, std::string_view wrong,
                                std::span<const std::string> valid, std::string_view lists) {
  constexpr std::size_t most = 12;
  if (valid.size() <= most) return unknown_name(what, wrong, valid);
  return fmt::format("unknown {} '{}'{}All {}: {}", what, shortened(wrong),
                     question_of(nearest_three(wrong, valid)), valid.size(),
                     lists.empty() ? fmt::format("`tofn list {}s`", what) : std::string(lists));
}

std::string shortened(std::string_view text) {
  constexpr std::size_t most = 60;
  if (character_count(text) <= most) return std::string(text);
  std::size_t bytes = most;
  while (character_count(text.substr(0, bytes + 1)) <= most) ++bytes;
  return std::string(text.substr(0, bytes)) + "...";
}

}  // namespace tofn
