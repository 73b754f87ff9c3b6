#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/core/names.hpp"
#include "sim/core/words.hpp"
#include "sim/glossary/known_terms.hpp"

namespace tofn {
inline namespace glossary {
namespace {

/// A name in the form in which names are compared.
std::string plain(std::string_view name) {
  while (name.starts_with('-')) name.remove_prefix(1);
  std::string text;
  for (const char c : name) text += c == '_' || c == '-' ? ' ' : lower_case(c);
  return text;
}

bool is_called(const Term& term, const std::string& name) {
  const auto is_it = [&](const std::string& other) { return plain(other) == name; };
  return is_it(term.name) || std::ranges::any_of(term.also, is_it);
}

/// True if a name matches a pattern, whose one `*` stands for any text.
bool matches(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return false;
  const auto before = pattern.substr(0, star), after = pattern.substr(star + 1);
  return name.size() > pattern.size() - 1 && name.starts_with(before) && name.ends_with(after);
}

/// End of a column's name, and its meaning beside that of the figure.
struct ColumnEnd {
  std::string_view end;
  std::string_view meaning;
};
/// Meaning of an end that only figures of runs have.
constexpr std::string_view overrun_meaning =
    "the median of its samples, in which the overrun of published runs is included";
constexpr std::array column_ends{
    ColumnEnd{"_low90", "lower end of its 90 % interval"},
    ColumnEnd{"_high90",
              "upper end of its 90 % interval; of a run empty where interruptions may outrun work"},
    ColumnEnd{"_basis", "what it rests on"},
    ColumnEnd{"_as_runs_went", overrun_meaning},
    ColumnEnd{"_source", "where it is from; assumed where nobody says"},
    ColumnEnd{"_deviation", "standard deviation of its logarithm"}};

std::vector<Term> terms_of_end(std::span<const Term> terms, std::string_view name) {
  std::vector<Term> found;
  for (const auto& [end, meaning] : column_ends) {
    if (!name.ends_with(end)) continue;
    const std::string figure = plain(name.substr(0, name.size() - end.size()));
    for (const Term& term : terms) {
      if (!is_called(term, figure)) continue;
      if (meaning == overrun_meaning && term.group != "figures") continue;
      Term of_end = term;
      of_end.name = name;
      of_end.definition = fmt::format("of {}: {}", term.name, meaning);
      of_end.formula.clear();
      of_end.related = {term.name};
      of_end.also.clear();
      found.push_back(std::move(of_end));
      break;
    }
  }
  return found;
}

}  // namespace

std::string_view without_column_end(std::string_view column) {
  for (const ColumnEnd& each : column_ends)
    if (column.ends_with(each.end)) return column.substr(0, column.size() - each.end.size());
  return column;
}

std::vector<Term> terms_named(std::span<const Term> terms, std::string_view name) {
  const std::string wanted = plain(name);
  std::vector<Term> found;
  for (const Term& term : terms)
    if (is_called(term, wanted)) found.push_back(term);
  if (!found.empty()) return found;
  for (const Term& term : terms)
    if (matches(term.name, name)) found.push_back(term);
  return found.empty() ? terms_of_end(terms, name) : found;
}

std::vector<std::string> near_names(std::span<const Term> terms, std::string_view name) {
  constexpr std::size_t most = 5;
  std::vector<std::string> names;
  for (const Term& term : terms) {
    names.push_back(term.name);
    names.insert(names.end(), term.also.begin(), term.also.end());
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::vector<std::string> near;
  while (near.size() < most) {
    const auto next = nearest_name(name, names);
    if (!next) break;
    near.push_back(*next);
    std::erase(names, *next);
  }
  const std::string wanted = plain(name);
  constexpr std::size_t telling = 3;  // fewest letters that are worth searching for
  for (const std::string& each : names)
    if (near.size() < most && wanted.size() >= telling &&
        plain(each).find(wanted) != std::string::npos)
      near.push_back(each);
  return near;
}

}  // namespace glossary
}  // namespace tofn
