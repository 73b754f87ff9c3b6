#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/app/command.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/glossary/explain_report.hpp"
#include "sim/glossary/known_terms.hpp"
#include "sim/options/option_rows.hpp"

namespace tofn {
inline namespace app {

namespace option {
constexpr Texts term{{"term", "term that is explained; several words are one term", Takes::Words}};
}  // namespace option

CommandLine explain_command_line() {
  return {"explain [TERM...] [OPTIONS]",
          "  tofn explain\n"
          "  tofn explain MFU\n"
          "  tofn explain critical batch\n"
          "  tofn explain deadline\n"
          "  tofn explain days_low90 --format json\n\n"
          "A term is a word of the field, a figure or column of an answer, a key of\n"
          "a file, or an option of a command.\n",
          {{.option = &option::term, .words = -1}}};
}

namespace {

/// Adds the options of all commands. An option that several commands describe alike is one term.
void add_options_of_commands(std::vector<Term>& terms) {
  const std::size_t first = terms.size();
  const auto add = [&](const OptionRow& row, std::string_view command) {
    const std::string definition =
        row.default_value.empty()
            ? row.description
            : fmt::format("{} ({} unless stated)", row.description, row.default_value);
    const auto is_same = [&](const Term& term) {
      return term.name == row.name && term.definition == definition;
    };
    const auto begin = terms.begin() + static_cast<std::ptrdiff_t>(first);
    const auto known = std::find_if(begin, terms.end(), is_same);
    if (known != terms.end()) {
      if (!known->used.ends_with(command)) known->used += fmt::format(", {}", command);
      return;
    }
    Term& term = terms.emplace_back();
    term = {.name = row.name,
            .group = "options",
            .definition = definition,
            .used = fmt::format("option of {}", command)};
    if (!row.short_name.empty()) term.also.push_back(row.short_name);
  };
  for (const OptionRow& row : option_rows(common_rows())) add(row, "all commands");
  for (const Command& command : commands()) {
    std::vector<CommandLine> lines{command.line({})};
    if (command.other_line != nullptr) lines.push_back(command.other_line());
    for (const CommandLine& line : lines)
      for (const OptionRow& row : option_rows(line.rows))
        if (!row.is_positional) add(row, command.name);
  }
}

void add_commands(std::vector<Term>& terms) {
  for (const Command& command : commands())
    terms.push_back({.name = fmt::format("tofn {}", command.name),
                     .group = "commands",
                     .definition = std::string(command.summary),
                     .used = fmt::format("`tofn {} --help`", command.name),
                     .also = {std::string(command.name)}});
}

[[noreturn]] void fail_unknown(const std::vector<Term>& terms, const std::string& name) {
  std::vector<std::string> near = near_names(terms, name);
  for (std::string& each : near) each = fmt::format("'{}'", each);
  throw InputError(
      fmt::format("unknown term '{}'{} `tofn explain` lists the terms", shortened(name),
                  near.empty() ? ";" : ", did you mean " + list_text(near, "or") + "?"));
}

}  // namespace

CommandAnswer run_explain(const options::variables_map& values) {
  std::vector<Term> terms = known_terms();
  add_options_of_commands(terms);
  add_commands(terms);
  const std::vector<std::string> words = option::term.of(values);
  if (words.empty()) return {.text = groups_text(terms), .records = term_records(terms)};
  const std::string name = fmt::format("{}", fmt::join(words, " "));
  const std::vector<Term> found = terms_named(terms, name);
  if (found.empty()) fail_unknown(terms, name);
  return {.text = terms_text(found), .records = term_records(found)};
}

}  // namespace app
}  // namespace tofn
