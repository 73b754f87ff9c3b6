#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/core/names.hpp"
#include "sim/formats/launchers/launch_stack.hpp"

// AMD's Primus: YAML that names one of its models, and overrides flags of Megatron-LM or keys of
// torchtitan, on either of which it runs (github.com/AMD-AGI/Primus, fd1eeabb).

namespace tofn {
inline namespace formats {
namespace {

constexpr std::string_view module = "modules.pre_trainer.";
constexpr std::string_view overrides = "modules.pre_trainer.overrides.";

std::optional<LaunchSetting> module_setting(const LaunchFile& file, std::string_view name) {
  std::optional<LaunchSetting> last;
  for (const LaunchSetting& setting : file.settings)
    if (setting.key == std::string(module) + std::string(name)) last = setting;
  return last;
}

/// Name of the model that the setting states as a file: `llama3.1_70B.yaml`.
std::string model_name(const LaunchSetting& setting) {
  constexpr std::string_view ending = ".yaml";
  std::string name = setting.value;
  if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  return name;
}

void add_settings(std::span<const std::pair<std::string, std::string>> values,
                  const Location& place, std::vector<LaunchSetting>& all) {
  for (const auto& [key, value] : values) all.push_back({key, value, place});
}

/// Entry for a model that is not known, so that the caller must name it beside the file.
LaunchUnknown unknown_model(const LaunchSetting& model, const std::vector<std::string>& names) {
  return {model.key, model.value, unknown_name("model of Primus", model_name(model), names),
          model.place};
}

std::vector<LaunchSetting> model_flags(const LaunchSetting& model, const Launcher& primus,
                                       std::vector<LaunchUnknown>& not_understood) {
  std::vector<LaunchSetting> flags;
  add_settings(primus.presets, model.place, flags);
  std::vector<std::string> names;
  for (const LaunchModel& each : primus.models) {
    if (each.name == model_name(model)) {
      add_settings(each.settings, model.place, flags);
      return flags;
    }
    names.push_back(each.name);
  }
  not_understood.push_back(unknown_model(model, names));
  return flags;
}

/// Returns the file with the keys of the overrides shortened by their section; all other keys stay.
LaunchFile without_section(const LaunchFile& file) {
  LaunchFile inner = file;
  for (LaunchSetting& setting : inner.settings)
    if (setting.key.starts_with(overrides)) setting.key.erase(0, overrides.size());
  for (LaunchUnknown& unknown : inner.not_understood)
    if (unknown.key.starts_with(overrides)) unknown.key.erase(0, overrides.size());
  return inner;
}

std::string flag_of(const std::string& key) {
  std::string flag = key;
  if (flag.find('.') == std::string::npos) std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

LaunchFile primus_flags(const LaunchFile& file, const Launcher& primus) {
  const auto model = module_setting(file, "model");
  if (!model)
    throw InputError(Location{file.path, 1, 1}, std::string(module) + "model", "is needed");
  LaunchFile flags = renamed(without_section(file), primus.renames);
  std::vector<LaunchSetting> all = model_flags(*model, primus, flags.not_understood);
  for (LaunchSetting setting : flags.settings) {
    if (setting.key == model->key) continue;
    setting.key = flag_of(setting.key);
    // A key of the file replaces the model's; `null` removes it.
    std::erase_if(all, [&](const LaunchSetting& each) { return each.key == setting.key; });
    if (setting.value != "null") all.push_back(std::move(setting));
  }
  flags.settings = std::move(all);
  for (LaunchUnknown& unknown : flags.not_understood) unknown.key = flag_of(unknown.key);
  return flags;
}

/// Returns torchtitan's keys: the overrides, and the settings of the model's file.
LaunchFile primus_titan_keys(const LaunchFile& file, const Launcher& primus) {
  const auto model = module_setting(file, "model");
  LaunchFile keys = without_section(file);
  const auto is_of_others = [&](const auto& each) {
    return each.key.find("sink_level") != std::string::npos || each.key.starts_with("modules.");
  };
  std::erase_if(keys.settings, is_of_others);
  std::erase_if(keys.not_understood, is_of_others);
  if (!model) return keys;
  const std::string name = model_name(*model);
  std::vector<std::string> names;
  for (const LaunchModel& each : primus.models) {
    if (!each.model.empty()) continue;  // one of torchtitan's own names
    names.push_back(each.name);
    if (!name.starts_with(each.name)) continue;
    std::vector<LaunchSetting> stated;
    if (name.ends_with("fp8") || name.ends_with("FP8"))
      stated.push_back({"model.converters", "float8", model->place});
    add_settings(each.settings, model->place, stated);
    keys.settings.insert(keys.settings.begin(), stated.begin(), stated.end());
    return keys;
  }
  keys.not_understood.push_back(unknown_model(*model, names));
  return keys;
}

}  // namespace

const LaunchCode primus_code{.launcher = "primus", .as_flags = primus_flags};
const LaunchCode primus_titan_code{.launcher = "primus-torchtitan", .as_flags = primus_titan_keys};

}  // namespace formats
}  // namespace tofn
