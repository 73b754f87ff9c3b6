#include "sim/glossary/explain_report.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/report/notes.hpp"

namespace tofn {
inline namespace glossary {
namespace {

std::string line(const char* head, const std::string& text) {
  return text.empty() ? "" : fmt::format("  {:<9} {}\n", head, text);
}

}  // namespace

std::string terms_text(std::span<const Term> terms) {
  std::string text;
  for (const Term& term : terms) {
    if (!text.empty()) text += '\n';
    text += fmt::format("{} ({})\n", term.name, term.group);
    text += fmt::format("  {}\n", term.definition);
    text += line("formula", term.formula) + line("unit", term.unit) + line("source", term.source) +
            line("used", term.used) + line("also", fmt::format("{}", fmt::join(term.also, ", "))) +
            line("related", fmt::format("{}", fmt::join(term.related, ", ")));
  }
  return text;
}

std::string groups_text(std::span<const Term> terms) {
  std::vector<std::string> groups;
  for (const Term& term : terms)
    if (std::ranges::find(groups, term.group) == groups.end()) groups.push_back(term.group);
  std::string text;
  for (const std::string& group : groups) {
    std::vector<std::string> names;
    for (const Term& term : terms)
      if (term.group == group) names.push_back(term.name);
    text += fmt::format("{}: {}\n", group, fmt::join(names, ", "));
  }
  return text + "`tofn explain TERM` says what one is\n";
}

ExplainedRecords term_records(std::span<const Term> terms) {
  const auto joined = [](auto member) {
    return [member](const Term& term) {
      return known(fmt::format("{}", fmt::join(term.*member, ", ")));
    };
  };
  const auto text = [](std::string Term::*member) { return of_its(member, known); };
  const TableColumns<Term> columns{
      {"term", &Term::name, "word that is explained"},
      {"group", &Term::group, "group of the term"},
      {"definition", &Term::definition, "definition of the term"},
      {"formula", text(&Term::formula)},
      {"unit", text(&Term::unit), "unit of the figure"},
      {"source", text(&Term::source)},
      {"used", text(&Term::used), "columns and commands that print it, and settings of it"},
      {"related", joined(&Term::related), "related terms"},
      {"also", joined(&Term::also), "other names of the term"}};
  return records_of(columns, terms);
}

}  // namespace glossary
}  // namespace tofn
