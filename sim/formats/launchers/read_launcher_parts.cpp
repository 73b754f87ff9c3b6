#include "sim/formats/launchers/read_launcher_parts.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include <fmt/format.h>

#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/yaml/yaml_document.hpp"

namespace tofn {
inline namespace formats {
namespace {

/// Name of a row in a plan's file, without the name of its map.
std::string row_name(const PlanField& field) {
  return std::string(field.key.substr(field.key.rfind('.') + 1));
}

/// Kind of the keys that set a row of type T; absent if no keys do.
template <class T>
constexpr std::optional<LaunchKind> kind_that_sets() {
  if (std::is_same_v<T, int>) return LaunchKind::Whole;
  if (std::is_same_v<T, bool>) return LaunchKind::Truth;
  if (IsChoice<Stated<T>>) return LaunchKind::Text;
  return {};
}

/// Calls `visit(field, member, kind)` for each row of a plan that keys or words may set.
template <class Visit>
void visit_settable(const Visit& visit) {
  visit_plan([&](const PlanField& field, auto member) {
    using Member = std::decay_t<decltype(std::declval<Plan>().*member)>;
    if constexpr (kind_that_sets<Member>().has_value())
      if (!field.key.empty()) visit(field, member, *kind_that_sets<Member>());
  });
}

std::string unknown_row(const std::string& name) {
  std::vector<std::string> names;
  visit_settable(
      [&](const PlanField& field, auto, LaunchKind) { names.push_back(row_name(field)); });
  return unknown_name("plan row", name, names);
}

std::string_view text_of_nothing(LaunchKind kind) {
  return kind == LaunchKind::Truth ? "false" : kind == LaunchKind::Whole ? "0" : "";
}

void read_default(const YamlNode& node, LaunchKey& key) {
  node.read(key.standard);
  double number = 0;
  const bool is_number = parse_number(key.standard, number);
  if (key.kind == LaunchKind::Whole && !(is_number && number == std::trunc(number)))
    node.mistaken(fmt::format("expected a whole number, got '{}'", shortened(key.standard)));
  if (key.kind == LaunchKind::Number && !is_number)
    node.mistaken(fmt::format("expected a number, got '{}'", shortened(key.standard)));
  if (key.kind == LaunchKind::Truth && key.standard != "true" && key.standard != "false")
    node.mistaken(fmt::format("expected true or false, got '{}'", shortened(key.standard)));
}

void read_source(const YamlNode& node, LaunchKey& key) {
  std::string name;
  node.read(name);
  const auto& sources = node.document().sources;
  const auto found = sources.find(name);
  if (found != sources.end()) {
    key.source = found->second;
    return;
  }
  std::vector<std::string> names;
  for (const auto& [each, reference] : sources) names.push_back(each);
  node.mistaken(unknown_name("source", name, names));
}

void read_row_of_key(const YamlNode& node, LaunchKey& key) {
  std::string name;
  node.read(name);
  visit_settable([&](const PlanField& field, auto, LaunchKind kind) {
    if (row_name(field) != name) return;
    key.sets = field.name;
    if (kind != key.kind)
      node.mistaken(fmt::format("a key of kind {} sets it, not one of kind {}", name_of(kind),
                                name_of(key.kind)));
  });
  if (key.sets.empty()) node.mistaken(unknown_row(name));
}

template <class Walk>
void key_rows(Walk& walk, LaunchKey& of) {
  walk({"kind", "type of the key's values", true}, of.kind);
  walk.with({"default", "value if a file does not state it (default: 0, false or nothing)"}, "text",
            [&](const YamlNode& node) { read_default(node, of); });
  walk.with({"source", "name in `sources` of the file that has the default", true}, "text",
            [&](const YamlNode& node) { read_source(node, of); });
  walk.with({"sets", "row of a plan that the key sets as it is; absent: code reads it"}, "text",
            [&](const YamlNode& node) { read_row_of_key(node, of); });
  walk({"if_unknown", "treatment of a value that the file does not tell"}, of.if_unknown);
}

/// Reads the value of one row of a plan.
void read_row(const YamlNode& node, const std::string& name, LaunchChoice& choice) {
  if (name == "selective_recompute") {
    node.read_choice(choice.selective, ChoiceTable<SelectiveRecompute>(selective_recompute_names));
    return;
  }
  bool is_known = false;
  visit_settable([&](const PlanField& field, auto member, LaunchKind) {
    if (row_name(field) != name) return;
    is_known = true;
    auto& value = choice.plan.*member;
    using Value = Stated<std::decay_t<decltype(value)>>;
    if constexpr (IsChoice<Value>)
      node.read_choice(value, ChoiceTable<Value>(names_of(Value{})));
    else
      node.read(value);
    choice.rows.push_back(field.name);
  });
  if (!is_known) node.fail(unknown_row(name));
}

LaunchChoice read_word(const YamlNode& node, const std::string& word, const LaunchKey& key) {
  LaunchChoice choice{.word = word};
  if (!key.sets.empty()) {
    visit_settable([&](const PlanField& field, auto, LaunchKind) {
      if (field.name == key.sets) read_row(node, row_name(field), choice);
    });
  } else {
    for (const auto& [row, value] : node.entries()) read_row(value, row, choice);
  }
  return choice;
}

}  // namespace

std::vector<LaunchKey> read_launch_keys(const YamlNode& node) {
  std::vector<LaunchKey> keys;
  for (const auto& [name, row] : node.entries()) {
    LaunchKey& key = keys.emplace_back(LaunchKey{.key = name});
    FieldReader::read_map(row, [&](auto& walk) { key_rows(walk, key); });
    if (key.standard.empty()) key.standard = text_of_nothing(key.kind);
  }
  return keys;
}

void read_launch_choices(const YamlNode& node, std::vector<LaunchKey>& keys) {
  for (const auto& [name, words] : node.entries()) {
    std::vector<std::string> names;
    LaunchKey* key = nullptr;
    for (LaunchKey& each : keys) {
      names.push_back(each.key);
      if (each.key == name) key = &each;
    }
    if (key == nullptr) words.fail(unknown_name("key", name, names));
    if (key->kind != LaunchKind::Text) words.fail("a key of kind text has words, no other");
    key->choices.clear();
    if (words.is_list() && key->sets.empty())
      for (const YamlNode& word : words.items()) word.read(key->choices.emplace_back().word);
    else
      for (const auto& [word, value] : words.entries())
        key->choices.push_back(read_word(value, word, *key));
    if (key->choices.empty()) words.fail("needs at least one word");
  }
}

void require_launch_words(const YamlNode& root, const std::vector<LaunchKey>& keys) {
  for (const LaunchKey& key : keys)
    if (key.kind == LaunchKind::Text && !key.sets.empty() && key.choices.empty())
      root.fail(fmt::format("'choices' must say which words of '{}' set what", key.key));
}

void list_launch_key_rows(FieldLister& lister) {
  LaunchKey key;
  lister.inside("keys.KEY.", [&](auto& walk) { key_rows(walk, key); });
}

}  // namespace formats
}  // namespace tofn
