#include "sim/options/command_line.hpp"

#include <algorithm>
#include <sstream>

#include <boost/program_options.hpp>
#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/core/standard_input.hpp"

namespace tofn {
inline namespace options {

namespace program_options = boost::program_options;

namespace {

/// Error message such as `unrecognised option '--bathc', did you mean '--batch'?`
std::string unrecognised(const program_options::unknown_option& error, const CommandOptions& all) {
  std::vector<std::string> names;
  for (const CommandOption& row : all) names.push_back(row.option->flag());
  std::string text = error.what();
  if (const auto nearest = nearest_name(error.get_option_name(), names))
    text += ", did you mean '" + *nearest + "'?";
  return text;
}

/// Error message on an option that is stated twice, which tells of a word that counts as its value:
/// `'all-reduce' is taken as --cluster, which is stated twice: did you mean --collective
/// all-reduce?`
std::string repeated(const program_options::multiple_occurrences& error,
                     const std::vector<program_options::option>& stated,
                     const CommandOptions& all) {
  for (const program_options::option& each : stated) {
    if (each.position_key < 0 || "--" + each.string_key != error.get_option_name()) continue;
    const std::string& word = each.value.front();
    const std::string text =
        fmt::format("'{}' is taken as --{}, which is stated twice: ", word, each.string_key);
    for (const CommandOption& row : all)
      if ((", " + row.shown_help()).find(", " + word) != std::string::npos)
        return fmt::format("{}did you mean {} {}?", text, row.option->flag(), word);
    return text + "leave one out";
  }
  return error.what();
}

/// Boost's description of the values that an option takes; the caller owns it.
const program_options::value_semantic* semantic_of(const CommandOption& row) {
  using program_options::value;
  const auto texts = [] { return value<std::vector<std::string>>(); };
  switch (row.option->takes) {
    case Takes::Nothing:
      return new program_options::untyped_value(true);
    case Takes::PerhapsValue:
      return value<std::string>()->implicit_value("");
    case Takes::Words:
      return texts();
    case Takes::ValueEachTime:
      return texts()->composing();
    case Takes::Values:
      return texts()->multitoken();
    case Takes::Value:
      break;
  }
  const std::string default_text = row.shown_default();
  auto* one = value<std::string>();
  if (row.option->is_required) one->required();
  return default_text.empty() ? one : one->default_value(default_text);
}

/// Options as Boost's, under a title.
program_options::options_description described(const CommandOptions& rows, std::string_view title) {
  program_options::options_description description{std::string(title)};
  for (const CommandOption& row : rows) {
    std::string names(row.option->name);
    if (const char letter = row.shown_letter(); letter != 0) names += {',', letter};
    description.add_options()(names.c_str(), semantic_of(row), row.shown_help().c_str());
  }
  return description;
}

}  // namespace

options::variables_map parse_words(const CommandLine& line, const CommandOptions& common,
                                   const std::vector<std::string>& words) {
  if (std::ranges::count_if(words, is_standard_input) > 1)
    throw InputError("'-' stands twice: standard input can be read once");
  const CommandOptions all = joined({line.rows, line.refused, common});
  program_options::positional_options_description positional;
  for (const CommandOption& row : line.rows)
    if (row.words != 0) positional.add(std::string(row.option->name).c_str(), row.words);
  options::variables_map values;
  std::vector<program_options::option> stated;
  try {
    // No abbreviations: a script that says --out should fail today, not when --outer is added.
    const int style = program_options::command_line_style::default_style &
                      ~program_options::command_line_style::allow_guessing;
    const auto description = described(all, line.title);
    const auto parsed = program_options::command_line_parser(words)
                            .options(description)
                            .positional(positional)
                            .style(style)
                            .run();
    stated = parsed.options;
    program_options::store(parsed, values);
    // With --help, the options that the command requires may be missing.
    if (values.count("help") == 0) program_options::notify(values);
  } catch (const program_options::unknown_option& error) {
    throw InputError(unrecognised(error, all));
  } catch (const program_options::multiple_occurrences& error) {
    throw InputError(repeated(error, stated, all));
  } catch (const program_options::too_many_positional_options_error&) {
    throw InputError(fmt::format("there are more words than the command takes: {}",
                                 line.usage.substr(0, line.usage.find('\n'))));
  } catch (const program_options::error& error) {
    throw InputError(error.what());  // Boost's messages name the option
  }
  return values;
}

std::string help_text(std::string_view program, const CommandLine& line,
                      const CommandOptions& common) {
  std::ostringstream text;
  text << "usage: " << program << ' ' << line.usage << "\n\n"
       << described(line.rows, line.title) << '\n'
       << described(common, "Common options") << "\nExamples\n"
       << line.examples;
  return std::move(text).str();
}

}  // namespace options
}  // namespace tofn
