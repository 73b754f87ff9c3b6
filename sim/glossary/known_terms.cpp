#include "sim/glossary/known_terms.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/cluster/cluster_fields.hpp"
#include "sim/collectives/algorithm.hpp"
#include "sim/config/file_keys.hpp"
#include "sim/parallelism/optimizer_kind.hpp"
#include "sim/report/list_report.hpp"
#include "sim/scaling/fit_law.hpp"
#include "sim/training/run_figures.hpp"

namespace tofn {
inline namespace glossary {
namespace {

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(at), text.size());
    std::string_view part = text.substr(0, end);
    while (part.starts_with(' ')) part.remove_prefix(1);
    if (!part.empty()) parts.emplace_back(part);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

template <class Words>
std::string printed_by(const Words& commands) {
  return fmt::format("printed by {}", fmt::join(commands, ", "));
}

/// Heads of a run's figure in tables for people, if they differ from its name.
std::vector<std::string> heads_of_figure(std::string_view name) {
  std::vector<std::string> heads;
  for (const RunFigure& figure : run_figures)
    if (figure.name == name)
      for (const std::string_view head : {figure.head, figure.title})
        if (!head.empty() && head != name && (heads.empty() || heads.back() != head))
          heads.emplace_back(head);
  return heads;
}

void add_figures(std::vector<Term>& all) {
  const std::vector<ListedFigure> figures = listed_figures();
  std::set<std::string, std::less<>> names;
  for (const ListedFigure& figure : figures) names.insert(figure.name);
  for (const ListedFigure& figure : figures) {
    const std::string_view explained_with = without_column_end(figure.name);
    if (explained_with != figure.name && names.contains(explained_with)) continue;
    all.push_back({.name = figure.name,
                   .group = "figures",
                   .definition = figure.meaning,
                   .unit = figure.unit,
                   .used = printed_by(figure.commands),
                   .also = heads_of_figure(figure.name)});
  }
}

void add_if_new(std::vector<std::string>& all, std::string_view text) {
  if (std::ranges::find(all, text) == all.end()) all.emplace_back(text);
}

/// Adds columns of tables: each meaning of a name once, with every command that prints it. A column
/// without words is a figure, or has the words of the first column of its name.
void add_table_columns(std::vector<Term>& all) {
  std::set<std::string, std::less<>> figures;
  for (const Term& term : all)
    if (term.group == "figures") figures.insert(term.name);
  std::vector<Term> terms;
  std::vector<std::vector<std::string>> commands;  // of each term
  const std::vector<CommandColumns> tables = columns_of_tables();
  for (const bool has_words : {true, false})
    for (const auto& [command, columns] : tables)
      for (const auto& [name, meaning, head] : columns) {
        if (meaning.empty() == has_words || (!has_words && figures.contains(name))) continue;
        const auto is_it = [&, &n = name, &words = meaning](const Term& term) {
          return term.name == n && (words.empty() || term.definition == words);
        };
        auto term = std::ranges::find_if(terms, is_it);
        if (term == terms.end()) {
          if (!has_words) continue;
          term = terms.insert(term, {.name = name, .group = "columns", .definition = meaning});
          commands.emplace_back();
        }
        add_if_new(commands[static_cast<std::size_t>(term - terms.begin())], command);
        if (!head.empty() && head != name) add_if_new(term->also, head);
      }
  for (std::size_t i = 0; i < terms.size(); ++i) {
    terms[i].used = printed_by(commands[i]);
    all.push_back(std::move(terms[i]));
  }
}

void add_written_columns(std::vector<Term>& all) {
  for (const WrittenColumn& column : written_columns())
    all.push_back({.name = std::string(column.name),
                   .group = "columns",
                   .definition = std::string(column.meaning),
                   .used = printed_by(split(column.commands, ' '))});
}

/// Last part of a dotted key, without the maps that contain it.
std::vector<std::string> last_part(const std::string& key) {
  const std::size_t dot = key.rfind('.');
  return dot == std::string::npos ? std::vector<std::string>() : std::vector{key.substr(dot + 1)};
}

void add_file_keys(std::vector<Term>& all) {
  for (const FileKey& key : file_keys())
    all.push_back({.name = key.key,
                   .group = fmt::format("keys of a {}", key.kind),
                   .definition = key.meaning,
                   .unit = key.value,
                   .used = fmt::format("key of a {}'s file{}", key.kind,
                                       key.default_value.empty() ? ""
                                       : key.default_value == "required"
                                           ? ", required"
                                           : ", " + key.default_value + " unless stated"),
                   .also = last_part(key.key)});
}

void add_machine_keys(std::vector<Term>& all) {
  const auto forms = machine_key_forms();
  for (const MachineKey& key : machine_keys()) {
    Term term{.name = std::string(key.key),
              .group = fmt::format("keys of {} {}", key.kind == "cluster" ? "a" : "an", key.kind),
              .definition = std::string(key.meaning),
              .used = fmt::format("key of a file of {}s/", key.kind),
              .also = last_part(std::string(key.key))};
    const auto form = forms.find(fmt::format("{}:{}", key.kind, key.key));
    if (form != forms.end()) {
      term.unit = form->second.unit;
      if (!form->second.column.empty()) {
        term.used += fmt::format("; {} of `tofn list {}s`", form->second.column, key.kind);
        term.also.push_back(form->second.column);
      }
    }
    all.push_back(std::move(term));
  }
}

void add_optimizers(std::vector<Term>& all) {
  for (const OptimizerTraits& each : optimizer_traits)
    all.push_back(
        {.name = std::string(each.name),
         .group = "optimizers",
         .definition = fmt::format("An optimizer that keeps {:g} bytes of a parameter beside its "
                                   "fp32 copy. An update moves {:g} bytes of it.",
                                   each.state_bytes, each.update_bytes),
         .source = std::string(each.source) + "; sim/parallelism/optimizer_kind.cpp",
         .used = "set by optimizer of a plan",
         .related = {"optimizer"}});
}

std::string law_formula(const WrittenTerm& term) {
  const auto names = split(term.also, ',');
  for (const Law& law : laws())
    if (std::string(law.name) + " law" == term.name ||
        std::ranges::find(names, law.name) != names.end())
      return std::string(law.formula);
  return "";
}

/// Collectives and libraries that have an algorithm of that name; empty if there is none.
std::string served_by(std::string_view algorithm) {
  std::vector<std::string> served;
  for (const Algorithm& each : collective_algorithms()) {
    if (each.name != algorithm) continue;
    std::string text = fmt::format("{} of {}", name_in(collective_kinds, each.collective),
                                   name_in(library_names, each.library));
    if (std::ranges::find(served, text) == served.end()) served.push_back(std::move(text));
  }
  return served.empty() ? "" : fmt::format("runs {}", fmt::join(served, ", "));
}

/// Text of a setting: `sharded of a plan`, `--stack`.
std::string setting_text(const std::string& setting) {
  const std::size_t colon = setting.find(':');
  if (colon == std::string::npos) return setting;
  const std::string kind = setting.substr(0, colon);
  return fmt::format("{} of {} {}", setting.substr(colon + 1), kind == "accelerator" ? "an" : "a",
                     kind);
}

std::string used_text(const WrittenTerm& term) {
  std::vector<std::string> parts;
  if (auto served = served_by(term.name); !served.empty()) parts.push_back(std::move(served));
  if (!term.printed.empty())
    parts.push_back(fmt::format("printed as {}", fmt::join(split(term.printed, ' '), ", ")));
  std::vector<std::string> settings = split(term.set_by, ' ');
  for (std::string& setting : settings) setting = setting_text(setting);
  if (!settings.empty()) parts.push_back(fmt::format("set by {}", fmt::join(settings, ", ")));
  return fmt::format("{}", fmt::join(parts, "; "));
}

void add_written(std::vector<Term>& all) {
  for (const WrittenGroup& group : written_groups())
    for (const WrittenTerm& term : group.terms)
      all.push_back({.name = term.name,
                     .group = group.name,
                     .definition = term.definition,
                     .formula = term.formula.empty() ? law_formula(term) : term.formula,
                     .source = term.source,
                     .used = used_text(term),
                     .related = split(term.related, ','),
                     .also = split(term.also, ',')});
}

}  // namespace

std::vector<Term> known_terms() {
  std::vector<Term> all;
  add_written(all);
  add_optimizers(all);
  add_figures(all);
  add_table_columns(all);
  add_written_columns(all);
  add_file_keys(all);
  add_machine_keys(all);
  return all;
}

}  // namespace glossary
}  // namespace tofn
