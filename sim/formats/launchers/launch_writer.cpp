#include "sim/formats/launchers/launch_writer.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "sim/core/json.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/formats/text/log_text.hpp"

namespace tofn {
inline namespace formats {
namespace {

/// Map of maps, with keys in the order of the settings.
struct Branch {
  std::string name;
  const LaunchSetting* setting = nullptr;  // null unless it is a leaf
  std::vector<Branch> branches;
};

Branch tree_of(std::span<const LaunchSetting> settings) {
  Branch root;
  for (const LaunchSetting& setting : settings) {
    Branch* branch = &root;
    each_part(setting.key, ".", [&](std::string_view name) {
      const auto found = std::ranges::find(branch->branches, name, &Branch::name);
      branch = found == branch->branches.end()
                   ? &branch->branches.emplace_back(
                         Branch{.name = std::string(name), .setting = nullptr, .branches = {}})
                   : &*found;
    });
    assert(branch->branches.empty());
    branch->setting = &setting;
  }
  return root;
}

/// Writes numbers and truth values as they are, and quotes everything else.
std::string scalar(const std::string& value, std::string_view null) {
  double number = 0;
  if (value == "null") return std::string(null);
  if (value == "true" || value == "false" || parse_number(value, number)) return value;
  return json_text(value);
}

std::string value_text(const LaunchSetting& setting, std::string_view null = "null") {
  if (!setting.is_list) return scalar(setting.value, null);
  std::string items;
  each_part(setting.value, " ", [&](std::string_view item) {
    items += (items.empty() ? "" : ", ") + scalar(std::string(item), null);
  });
  return "[" + items + "]";
}

void add_json(std::string& text, const Branch& branch, int depth) {
  if (branch.setting != nullptr) {
    text += value_text(*branch.setting);
    return;
  }
  text += "{";
  for (const Branch& each : branch.branches) {
    text += fmt::format("{}\n{:{}}{}: ", &each == &branch.branches.front() ? "" : ",", "",
                        depth * 2 + 2, json_text(each.name));
    add_json(text, each, depth + 1);
  }
  text += fmt::format("\n{:{}}}}", "", depth * 2);
}

/// Writes the values of a table before the tables inside it.
void add_toml(std::string& text, const Branch& branch, const std::string& path) {
  std::string values;
  for (const Branch& each : branch.branches)
    if (each.setting != nullptr)
      values += fmt::format("{} = {}\n", each.name, value_text(*each.setting, "\"\""));
  if (!values.empty() && !path.empty())
    text += fmt::format("{}[{}]\n", text.empty() ? "" : "\n", path);
  text += values;
  for (const Branch& each : branch.branches)
    if (each.setting == nullptr)
      add_toml(text, each, path.empty() ? each.name : path + "." + each.name);
}

std::string option_words(const LaunchSetting& setting, OptionStyle style) {
  if (style == OptionStyle::Pairs) return setting.key + "=" + shell_word(setting.value);
  std::string option = "--" + setting.key;
  if (setting.value.empty()) return option;
  if (style == OptionStyle::Joined) return option + "=" + shell_word(setting.value);
  if (!setting.is_list) return option + " " + shell_word(setting.value);
  each_part(setting.value, " ", [&](std::string_view word) { option += " " + shell_word(word); });
  return option;
}

}  // namespace

std::string write_command(std::span<const std::string> front,
                          std::span<const LaunchSetting> settings, OptionStyle style) {
  std::string text;
  for (const std::string& word : front) text += (text.empty() ? "" : " ") + shell_word(word);
  for (const LaunchSetting& setting : settings) text += " \\\n    " + option_words(setting, style);
  return text + "\n";
}

std::string write_json(std::span<const LaunchSetting> settings) {
  std::string text;
  add_json(text, tree_of(settings), 0);
  return text + "\n";
}

std::string write_toml(std::span<const LaunchSetting> settings) {
  std::string text;
  add_toml(text, tree_of(settings), "");
  return text;
}

}  // namespace formats
}  // namespace tofn
