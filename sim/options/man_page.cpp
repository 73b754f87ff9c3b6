#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "sim/options/manual.hpp"

namespace tofn {
inline namespace options {
namespace {

/// Escapes text so that roff prints it unchanged.
std::string roff(std::string_view text) {
  std::string escaped;
  bool starts_line = true;
  for (const char c : text) {
    if (starts_line && (c == '.' || c == '\'')) escaped += "\\&";
    starts_line = c == '\n';
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else if (c == '\'')
      escaped += "\\(aq";
    else if (c == '`')
      escaped += "\\(ga";
    else if (c == '|')
      escaped += "|\\:";  // a line may break here
    else
      escaped += c;
  }
  return escaped;
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }

/// Keeps the lines of a text. Blank lines become `.sp`, because roff warns of them.
std::string as_is(std::string_view text) {
  std::string shown = ".nf\n";
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    shown += line.empty() ? std::string(".sp\n") : roff(line) + '\n';
  }
  return shown + ".fi\n";
}

/// Synopsis with each form of the command on lines of its own.
std::string synopsis(const std::string& program, const std::vector<std::string>& usages) {
  std::string text;
  for (std::string_view usage : usages) {
    if (!text.empty()) text += ".br\n";
    text += roff(program) + ' ';
    while (!usage.empty()) {
      const std::string_view line = usage.substr(0, usage.find('\n'));
      text += roff(line) + '\n';
      usage.remove_prefix(std::min(usage.find_first_not_of(" \n", line.size()), usage.size()));
      if (!usage.empty()) text += ".br\n";
    }
  }
  return text;
}

std::string heading(const std::string& page, const Manual& manual) {
  std::string upper = page;
  std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return fmt::format(".TH {} 1 \"{}\" \"{} {}\" \"User Commands\"\n.ad l\n", roff(upper),
                     manual.date, manual.program, manual.version);
}

/// Entry of an option, `-N, --accelerators VALUE`, with its description.
std::string option_text(const OptionRow& row) {
  std::string text = ".TP\n";
  if (!row.short_name.empty()) text += bold(row.short_name) + ", ";
  text += bold(row.name);
  if (row.takes_value) text += " \\fIVALUE\\fR";
  text += '\n' + roff(row.description.empty() ? "(no more to say)" : row.description);
  if (!row.default_value.empty() && row.description.find("(default") == std::string::npos)
    text += roff(fmt::format(" (default: {})", row.default_value));
  if (row.is_positional) text += "; its name may be left out";
  return text + '\n';
}

std::string options_text(const std::string& title, const std::vector<OptionRow>& rows) {
  std::string text = ".SH " + title + '\n';
  for (const OptionRow& row : rows) text += option_text(row);
  return text;
}

std::string reference(const std::string& page) { return ".BR " + roff(page) + " (1)"; }

}  // namespace

std::string man_page(const Manual& manual, const ManualCommand& command) {
  const std::string page = manual.program + "-" + command.name;
  std::string text = heading(page, manual);
  text += fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n", roff(page), roff(command.summary));
  text += synopsis(manual.program, command.usages);
  text += options_text("OPTIONS", command.rows);
  text += options_text("COMMON OPTIONS", manual.common);
  std::string examples;
  for (const std::string& each : command.examples) examples += each;
  if (!examples.empty()) text += ".SH EXAMPLES\n" + as_is(examples);
  return text + ".SH SEE ALSO\n" + reference(manual.program) + '\n';
}

std::string man_page(const Manual& manual) {
  std::string text = heading(manual.program, manual);
  text += fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{} \\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n",
                      roff(manual.program), roff(manual.summary), bold(manual.program));
  text += ".SH COMMANDS\n";
  for (const ManualCommand& each : manual.commands)
    text += fmt::format(".TP\n{}\n{}; see {}(1)\n", bold(each.name), roff(each.summary),
                        bold(manual.program + "-" + each.name));
  text += options_text("COMMON OPTIONS", manual.common);
  for (const auto& [title, paragraphs] : manual.sections) {
    text += ".SH " + title + '\n';
    for (const std::string& paragraph : paragraphs)
      text += (&paragraph == &paragraphs.front() ? "" : ".PP\n") + roff(paragraph) + '\n';
  }
  text += ".SH SEE ALSO\n";
  for (const ManualCommand& each : manual.commands)
    text += reference(manual.program + "-" + each.name) +
            (&each == &manual.commands.back() ? "" : ",") + '\n';
  return text;
}

}  // namespace options
}  // namespace tofn
