#include "sim/formats/launchers/load_launcher.hpp"

#include <algorithm>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include "sim/core/names.hpp"
#include "sim/formats/launchers/read_launcher_parts.hpp"
#include "sim/yaml/field_rows.hpp"
#include "sim/yaml/named_file.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace formats {
namespace {

namespace fs = std::filesystem;

/// Launcher as its file states it, before it is joined with the launcher that it is based on.
struct LauncherDraft {
  Launcher launcher{};
  std::string base{};
  std::vector<std::string> keys_of_base{};  ///< empty: all
  bool ignores_as_base = false;
};

/// Value of a key that was read before, so that an error that involves other keys can point at it.
std::optional<YamlNode> value_at(const YamlNode& map, std::string_view key) {
  for (const auto& [name, value] : map.entries())
    if (name == key) return value;
  return {};
}

template <class Walk>
void base_rows(Walk& walk, LauncherDraft& of) {
  walk({"launcher", "name of the launcher whose keys, words and code it inherits", true}, of.base);
  walk({"keys", "inherited keys (default: all)"}, of.keys_of_base);
  walk({"ignored", "whether the ignored keys are inherited too"}, of.ignores_as_base);
}

template <class Walk>
void mark_rows(Walk& walk, LaunchMark& of) {
  walk({"starts", "starts of keys that the file has"}, of.starts);
  walk({"without", "starts of keys that the file does not have"}, of.without);
  walk({"key", "key that the file has"}, of.key);
  walk({"value", "value of the key (default: any)"}, of.value);
  walk({"program", "start of the program's name"}, of.program);
}

template <class Walk>
void rename_rows(Walk& walk, LaunchName& of) {
  walk({"key", "key as files spell it", true}, of.key);
  walk({"value", "value of the key (default: any)"}, of.value);
  walk({"is", "key of `keys` that it stands for", true}, of.row);
  walk({"becomes", "value of the key that it stands for (default: the same; \"null\": none)"},
       of.becomes);
}

void read_pairs(const YamlNode& node, std::vector<std::pair<std::string, std::string>>& pairs) {
  for (const auto& [name, value] : node.entries())
    value.read(pairs.emplace_back(name, std::string()).second);
}

void read_models(const YamlNode& node, std::vector<LaunchModel>& models) {
  for (const auto& [name, value] : node.entries()) {
    LaunchModel& model = models.emplace_back(LaunchModel{.name = name});
    if (value.is_map())
      read_pairs(value, model.settings);
    else
      value.read(model.model);
  }
}

/// Walks all keys of a file of launchers/.
template <class Walk>
void launcher_rows(Walk& walk, LauncherDraft& draft) {
  Launcher& of = draft.launcher;
  walk({"name", "name of the launcher", true}, of.name);
  walk({"description", "a line for people", true}, of.description);
  walk({"is_read", "false: files with these marks are recognised and refused"}, of.is_read);
  walk({"stack", "name in stacks/ of the software that runs the training"}, of.stack);
  walk({"version", "repository and commit that the launcher's keys come from"}, of.version);
  walk({"order", "rank among launchers: the lowest wins if a file has marks of several"}, of.order);
  walk.map({"based_on", "another launcher whose rows this one inherits"},
           [&](auto& inner) { base_rows(inner, draft); });
  walk.list({"marks", "signs that a file is of this launcher: one is enough", true},
            "needs at least one", of.marks,
            [](auto& inner, LaunchMark& mark) { mark_rows(inner, mark); });
  walk.with({"keys", "keys or flags of the launcher's files"}, "map of keys",
            [&](const YamlNode& node) { of.keys = read_launch_keys(node); });
  walk.with({"choices", "words that a key may have, and the rows of a plan that each sets"},
            "map of maps", [](const YamlNode&) {});  // read by `load`, because they need all keys
  walk.list({"renames", "other names of keys"}, "needs at least one", of.renames,
            [](auto& inner, LaunchName& name) { rename_rows(inner, name); });
  walk.with({"presets", "values of keys that every model of `models` starts from"}, "map of values",
            [&](const YamlNode& node) { read_pairs(node, of.presets); });
  walk({"model_keys", "keys whose values, joined by blanks, name a model"}, of.model_keys);
  walk.with({"models",
             "models by the name in the launcher's files: a name in models/, or values of keys"},
            "map", [&](const YamlNode& node) { read_models(node, of.models); });
  walk.with({"tokenizers", "entries of the vocabulary by the start of a tokenizer's name"},
            "map of whole numbers", [&](const YamlNode& node) {
              for (const auto& [name, value] : node.entries())
                value.read(of.tokenizers.emplace_back(name, 0).second);
            });
  walk.with({"other_programs",
             "programs that are not read, by the start of their name, and what they train"},
            "map of text", [&](const YamlNode& node) { read_pairs(node, of.other_programs); });
  walk({"ignored", "starts of keys that do not change a step's time"}, of.ignored);
}

/// Loads launchers, and looks up the launchers, models and stacks that they name in the folder of
/// configs.
class LauncherFolder {
 public:
  explicit LauncherFolder(fs::path configs) : configs_(std::move(configs)) {}

  Launcher load(const fs::path& file, int depth = 0) {
    const YamlNode root = YamlNode::load(file);
    LauncherDraft draft{.launcher = {.file = file}};
    FieldReader::read_map(root, [&](auto& walk) { launcher_rows(walk, draft); });
    if (const auto node = value_at(root, "based_on")) add_base(*node, depth, draft);
    if (const auto node = value_at(root, "choices"))
      read_launch_choices(*node, draft.launcher.keys);
    for (const YamlNode& mark : value_at(root, "marks")->items())
      if (!value_at(mark, "starts") && !value_at(mark, "key") && !value_at(mark, "program"))
        mark.fail("needs 'starts', 'key' or 'program'");
    if (draft.launcher.is_read) check(root, draft.launcher);
    return std::move(draft.launcher);
  }

 private:
  void add_base(const YamlNode& node, int depth, LauncherDraft& draft) {
    constexpr int deepest = 8;
    const YamlNode name = *value_at(node, "launcher");
    if (depth == deepest) name.fail("launchers are based on one another without an end");
    const Launcher base = load(file_at(name, "launchers", "launcher"), depth + 1);
    Launcher& launcher = draft.launcher;
    launcher.bases = base.bases;
    launcher.bases.insert(launcher.bases.begin(), base.name);
    if (const auto keys = value_at(node, "keys"))
      for (const YamlNode& key : keys->items()) require_key(key, base);
    const auto& taken = draft.keys_of_base;
    for (const LaunchKey& key : base.keys)
      if (launcher.find(key.key) == nullptr &&
          (taken.empty() || std::ranges::find(taken, key.key) != taken.end()))
        launcher.keys.push_back(key);
    if (draft.ignores_as_base)
      launcher.ignored.insert(launcher.ignored.end(), base.ignored.begin(), base.ignored.end());
    if (launcher.model_keys.empty()) {
      launcher.model_keys = base.model_keys;
      launcher.models.insert(launcher.models.end(), base.models.begin(), base.models.end());
    }
    if (launcher.tokenizers.empty()) launcher.tokenizers = base.tokenizers;
    if (launcher.other_programs.empty()) launcher.other_programs = base.other_programs;
  }

  /// Fails if a launcher that is read lacks a key that it needs, or names something that does not
  /// exist.
  void check(const YamlNode& root, const Launcher& of) const {
    for (const char* key : {"stack", "version"})
      if (!value_at(root, key)) root.fail(fmt::format("missing key '{}'", key));
    if (of.keys.empty()) root.fail("missing key 'keys'");
    require_launch_words(root, of.keys);
    file_at(*value_at(root, "stack"), "stacks", "stack");
    if (const auto presets = value_at(root, "presets")) require_keys(*presets, of);
    if (const auto keys = value_at(root, "model_keys"))
      for (const YamlNode& key : keys->items()) require_key(key, of);
    const auto models = value_at(root, "models");
    if (!models) return;
    for (const auto& [name, value] : models->entries())
      if (value.is_map())
        require_keys(value, of);
      else if (of.model_keys.empty())
        value.fail("needs 'model_keys', whose values name a model");
      else
        file_at(value, "models", "model");
  }

  static void require_key(const YamlNode& node, const Launcher& of) {
    std::string key;
    node.read(key);
    if (of.find(key) == nullptr) fail_at_key(node, key, of);
  }
  static void require_keys(const YamlNode& map, const Launcher& of) {
    for (const auto& [key, value] : map.entries())
      if (of.find(key) == nullptr) fail_at_key(value, key, of);
  }
  [[noreturn]] static void fail_at_key(const YamlNode& node, const std::string& key,
                                       const Launcher& of) {
    std::vector<std::string> names;
    for (const LaunchKey& each : of.keys) names.push_back(each.key);
    node.fail(unknown_name("key", key, names));
  }

  /// Path of the file that the text names. InputError at the text if there is none.
  fs::path file_at(const YamlNode& node, const char* folder, const char* what) const {
    std::string name;
    node.read(name);
    try {
      return file_named(configs_, folder, what, name);
    } catch (const InputError& unknown) {
      node.fail(unknown.what());
    }
  }

  fs::path configs_;
};

}  // namespace

const LaunchKey* Launcher::find(std::string_view key) const {
  const auto found = std::ranges::find(keys, key, &LaunchKey::key);
  return found == keys.end() ? nullptr : &*found;
}

bool Launcher::ignores(std::string_view key) const {
  return std::ranges::any_of(ignored,
                             [&](const std::string& start) { return key.starts_with(start); });
}

Launcher load_launcher(const fs::path& file, const fs::path& configs) {
  return LauncherFolder(configs).load(file);
}

const std::vector<Launcher>& launchers_in(const fs::path& configs) {
  static std::mutex mutex;
  static std::map<fs::path, std::vector<Launcher>> folders;
  const std::scoped_lock lock(mutex);
  const auto known = folders.find(configs);
  if (known != folders.end()) return known->second;
  LauncherFolder folder(configs);
  std::vector<Launcher> all;
  for (const fs::path& file : files_in(configs, "launchers")) {
    Launcher launcher = folder.load(file);
    for (const Launcher& each : all)
      if (each.name == launcher.name)
        throw InputError({file.string()}, "name", "'" + each.name + "' is taken already");
    all.push_back(std::move(launcher));
  }
  if (all.empty())
    throw InputError({(configs / "launchers").string()}, "", "has no .yaml file of a launcher");
  std::ranges::stable_sort(all, [](const Launcher& a, const Launcher& b) {
    return std::pair(a.is_read, a.order) < std::pair(b.is_read, b.order);
  });
  return folders.emplace(configs, std::move(all)).first->second;
}

void list_launcher_keys(std::vector<FileKey>& keys) {
  FieldLister lister("launcher", keys);
  LauncherDraft draft;
  launcher_rows(lister, draft);
  list_launch_key_rows(lister);
}

}  // namespace formats
}  // namespace tofn
