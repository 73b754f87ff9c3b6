#include "sim/options/option_rows.hpp"

#include <regex>

namespace tofn {
inline namespace options {
namespace {

/// Words of `a, b or c` without `or`.
std::vector<std::string> words_of(const std::string& text) {
  static const std::regex word("[A-Za-z0-9_-]+");
  std::vector<std::string> words;
  for (std::sregex_iterator each(text.begin(), text.end(), word), end; each != end; ++each)
    if (each->str() != "or") words.push_back(each->str());
  return words;
}

/// Lists that a description names: "a name of `tofn list workloads`, `models` or `runs`".
std::vector<std::string> named_lists(const std::string& description) {
  static const std::regex quoted("`(tofn list )?([a-z]+)`");
  std::vector<std::string> lists;
  bool has_begun = false;
  for (std::sregex_iterator each(description.begin(), description.end(), quoted), end; each != end;
       ++each) {
    has_begun = has_begun || (*each)[1].matched;
    if (has_begun) lists.push_back((*each)[2].str());
  }
  return lists;
}

OptionRow row_of(const CommandOption& of) {
  OptionRow row{.name = of.option->flag(),
                .description = of.shown_help(),
                .default_value = of.shown_default(),
                .takes_value = of.option->takes != Takes::Nothing,
                .lists = named_lists(of.shown_help()),
                .is_positional = of.words != 0};
  if (const char letter = of.shown_letter(); letter != 0) row.short_name = {'-', letter};
  if (row.takes_value) row.choices = listed_choices(row.description);
  return row;
}

}  // namespace

std::vector<std::string> listed_choices(const std::string& description) {
  static const std::string word = "[A-Za-z0-9][A-Za-z0-9_-]*";
  static const std::regex list("(^|: )(" + word + "(, " + word + ")* or " + word + "|" + word +
                               "([|]" + word + ")+)(:|$)");
  static const std::regex aside(R"( ?\([^()]*\))");
  const std::string text = std::regex_replace(description, aside, "");
  std::smatch match;
  if (!std::regex_search(text, match, list)) return {};
  return words_of(match[2].str());
}

std::vector<OptionRow> option_rows(const CommandOptions& options) {
  std::vector<OptionRow> rows;
  for (const CommandOption& option : options) rows.push_back(row_of(option));
  return rows;
}

}  // namespace options
}  // namespace tofn
