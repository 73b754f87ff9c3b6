#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/words.hpp"
#include "sim/options/manual.hpp"

namespace tofn {
inline namespace options {
namespace {

/// Shortens a description to at most 70 characters, to be shown beside a completion.
std::string brief(const std::string& description) {
  constexpr std::size_t longest = 70;
  if (description.size() <= longest) return description;
  const std::size_t end = description.rfind(' ', longest);
  return description.substr(0, end == std::string::npos ? longest : end) + " ...";
}

/// Body of a shell function that prints the names in a list, one per line.
constexpr std::string_view print_names =
    "command tofn list \"$list\" --format csv 2>/dev/null | sed '1d; s/^\"//; s/[\",].*//'\n";

/// Name of the completion function, e.g. `_tofn_bench`.
std::string function_name(const Manual& manual) {
  std::string name = "_" + manual.program;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

/// Function of bash and zsh that prints the names in lists.
std::string name_function(const Manual& manual) {
  return fmt::format("{}_names() {{\n  local list\n  for list in \"$@\"; do\n    {}  done\n}}\n",
                     function_name(manual), print_names);
}

std::vector<OptionRow> all_rows(const Manual& manual, const ManualCommand& command) {
  std::vector<OptionRow> rows = command.rows;
  rows.insert(rows.end(), manual.common.begin(), manual.common.end());
  return rows;
}

std::vector<std::string> spellings(const OptionRow& row) {
  if (row.short_name.empty()) return {row.name};
  return {row.short_name, row.name};
}

/// Row with the lists and choices of all words that need no option name.
OptionRow positional_row(const ManualCommand& command) {
  OptionRow all;
  for (const OptionRow& row : command.rows) {
    if (!row.is_positional) continue;
    all.lists.insert(all.lists.end(), row.lists.begin(), row.lists.end());
    all.choices.insert(all.choices.end(), row.choices.begin(), row.choices.end());
  }
  return all;
}

// --- bash ---

/// Branch of `case $before` with the values of an option.
std::string bash_values(const OptionRow& row) {
  std::string text = fmt::format("        {})", fmt::join(spellings(row), "|"));
  if (!row.choices.empty()) text += fmt::format(" values='{}'", fmt::join(row.choices, " "));
  if (!row.lists.empty()) text += fmt::format(" lists='{}'", fmt::join(row.lists, " "));
  return text + " takes=value ;;\n";
}

std::string bash_command(const Manual& manual, const ManualCommand& command) {
  std::vector<std::string> options;
  std::string values;
  for (const OptionRow& row : all_rows(manual, command)) {
    for (std::string& each : spellings(row)) options.push_back(std::move(each));
    if (row.takes_value) values += bash_values(row);
  }
  const OptionRow positional = positional_row(command);
  std::string text = fmt::format("    {})\n      options='{}'\n      case $before in\n{}",
                                 command.name, fmt::join(options, " "), values);
  text += fmt::format("        *) values='{}' lists='{}' ;;\n      esac\n      ;;\n",
                      fmt::join(positional.choices, " "), fmt::join(positional.lists, " "));
  return text;
}

// --- zsh ---

/// Escapes text for the brackets and colons of a specification.
std::string zsh_text(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

/// Specification `:name:action` that offers the values of an option.
std::string zsh_action(const std::string& function, const OptionRow& row) {
  const std::string what = row.name.substr(2);
  if (!row.choices.empty()) return fmt::format(":{}:({})", what, fmt::join(row.choices, " "));
  if (!row.lists.empty())
    return fmt::format(":{}: {}_names_or_files {}", what, function, fmt::join(row.lists, " "));
  return fmt::format(":{}:_files", what);
}

std::string zsh_option(const std::string& function, const OptionRow& row) {
  const std::string rest = fmt::format("[{}]{}", zsh_text(brief(row.description)),
                                       row.takes_value ? zsh_action(function, row) : "");
  if (row.short_name.empty()) return "        " + shell_quoted("*" + row.name + rest) + " \\\n";
  return fmt::format("        '*'{{{},{}}}{} \\\n", row.short_name, row.name, shell_quoted(rest));
}

std::string zsh_command(const Manual& manual, const ManualCommand& command) {
  std::string text = fmt::format("    {})\n      _arguments \\\n", command.name);
  for (const OptionRow& row : all_rows(manual, command))
    text += zsh_option(function_name(manual), row);
  OptionRow positional = positional_row(command);
  positional.name = "--word";
  return text + "        " + shell_quoted("*" + zsh_action(function_name(manual), positional)) +
         "\n      ;;\n";
}

// --- fish ---

std::string fish_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

/// Argument of `complete` that offers the names in lists.
std::string fish_names(const Manual& manual, const std::vector<std::string>& lists) {
  return fmt::format(" -a '(_{}_names {})'", function_name(manual), fmt::join(lists, " "));
}

std::string fish_option(const Manual& manual, const ManualCommand& command, const OptionRow& row) {
  std::string text = fmt::format("complete -c {} -n '__fish_seen_subcommand_from {}' -l {}",
                                 manual.program, command.name, row.name.substr(2));
  if (!row.short_name.empty()) text += " -s " + row.short_name.substr(1);
  if (row.takes_value) text += " -r";
  if (!row.choices.empty()) text += fmt::format(" -f -a '{}'", fmt::join(row.choices, " "));
  if (!row.lists.empty()) text += fish_names(manual, row.lists);
  return text + " -d " + fish_quoted(brief(row.description)) + '\n';
}

std::string fish_command(const Manual& manual, const ManualCommand& command) {
  std::string text;
  for (const OptionRow& row : all_rows(manual, command)) text += fish_option(manual, command, row);
  const OptionRow words = positional_row(command);
  const std::string head = fmt::format("complete -c {} -n '__fish_seen_subcommand_from {}'",
                                       manual.program, command.name);
  if (!words.choices.empty())
    text += fmt::format("{} -a '{}'\n", head, fmt::join(words.choices, " "));
  if (!words.lists.empty()) text += head + fish_names(manual, words.lists) + '\n';
  return text;
}

std::vector<std::string> command_names(const Manual& manual) {
  std::vector<std::string> names;
  for (const ManualCommand& each : manual.commands) names.push_back(each.name);
  return names;
}

}  // namespace

std::string bash_completion(const Manual& manual) {
  std::string text = fmt::format("# bash completion of {}, made from its options\n{}",
                                 manual.program, name_function(manual));
  text += function_name(manual) +
          "() {\n"
          "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
          "  local options= values= lists= takes= IFS=$' \\t\\n'\n"
          "  # Bash splits --option=value at the sign.\n"
          "  if [[ $word == = ]]; then\n"
          "    word=\n"
          "  elif [[ $before == = ]]; then\n"
          "    before=${COMP_WORDS[COMP_CWORD-2]}\n"
          "  fi\n";
  text += fmt::format("  case ${{COMP_WORDS[1]}} in\n    {})\n      values='{}' ;;\n", "help",
                      fmt::join(command_names(manual), " "));
  for (const ManualCommand& each : manual.commands) text += bash_command(manual, each);
  text +=
      fmt::format("  esac\n  (( COMP_CWORD > 1 )) || values='{} help' options='--help --version'\n",
                  fmt::join(command_names(manual), " "));
  return text + fmt::format(
                    "  if [[ -z $takes && $word == -* ]]; then\n"
                    "    values=$options lists=\n"
                    "  fi\n"
                    "  # A name that holds a space would be several words.\n"
                    "  [[ -z $lists ]] || values+=\" $({0}_names $lists | grep -v ' ')\"\n"
                    "  COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))\n"
                    "}}\n"
                    "complete -o default -F {0} {1}\n",
                    function_name(manual), manual.program);
}

std::string zsh_completion(const Manual& manual) {
  const std::string function = function_name(manual);
  std::string text =
      fmt::format("#compdef {0}\n# zsh completion of {0}, made from its options\n{1}",
                  manual.program, name_function(manual));
  text += function +
          "_names_or_files() {\n"
          "  local -a names\n"
          "  names=(${(f)\"$(" +
          function +
          "_names \"$@\")\"})\n"
          "  compadd -a names\n"
          "  _files\n"
          "}\n";
  text += function + "() {\n  if (( CURRENT == 2 )); then\n    local -a commands\n    commands=(\n";
  for (const ManualCommand& each : manual.commands)
    text += "      " + shell_quoted(each.name + ":" + zsh_text(each.summary)) + '\n';
  text +=
      "    )\n    _describe command commands\n    return\n  fi\n"
      "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  for (const ManualCommand& each : manual.commands) text += zsh_command(manual, each);
  return text + fmt::format(
                    "    help) _arguments '*:command:({1})' ;;\n"
                    "  esac\n}}\n"
                    "if [[ $funcstack[1] == _{2} ]]; then\n  {0} \"$@\"\nelse\n"
                    "  compdef {0} {2}\nfi\n",
                    function, fmt::join(command_names(manual), " "), manual.program);
}

std::string fish_completion(const Manual& manual) {
  std::string text = fmt::format(
      "# fish completion of {}, made from its options\n"
      "function _{}_names\n  for list in $argv\n    {}  end\nend\n",
      manual.program, function_name(manual), print_names);
  for (const ManualCommand& each : manual.commands)
    text += fmt::format("complete -c {} -n __fish_use_subcommand -f -a {} -d {}\n", manual.program,
                        each.name, fish_quoted(brief(each.summary)));
  for (const ManualCommand& each : manual.commands) text += fish_command(manual, each);
  return text;
}

}  // namespace options
}  // namespace tofn
