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

/// Default in a parameter of Boost: `table` in `arg (=table)`; empty if there is none.
std::string default_of(const std::string& parameter) {
  static const std::regex shown(R"(\(=(.*)\)$)");
  std::smatch match;
  return std::regex_search(parameter, match, shown) ? match[1].str() : "";
}

OptionRow row_of(const boost::program_options::option_description& option) {
  using style = boost::program_options::command_line_style::style_t;
  const std::string shortest = option.canonical_display_name(style::allow_dash_for_short);
  OptionRow row{.name = "--" + option.long_name(),
                .short_name = shortest.starts_with('-') ? shortest : "",
                .description = option.description(),
                .default_value = {},
                .takes_value = option.semantic()->max_tokens() > 0,
                .choices = {},
                .lists = named_lists(option.description())};
  if (!row.takes_value) return row;
  row.default_value = default_of(option.format_parameter());
  row.choices = listed_choices(row.description);
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

std::vector<OptionRow> option_rows(const options::options_description& description) {
  std::vector<OptionRow> rows;
  for (const auto& option : description.options()) rows.push_back(row_of(*option));
  return rows;
}

std::vector<OptionRow> option_rows(const CommandLine& line) {
  std::vector<OptionRow> rows = option_rows(line.description);
  const unsigned most = line.positional.max_total_count();
  for (OptionRow& row : rows)
    for (unsigned i = 0; i < rows.size() && i < most; ++i)
      if (row.name == "--" + line.positional.name_for_position(i)) row.is_positional = true;
  return rows;
}

}  // namespace options
}  // namespace tofn
