#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/formats/launchers/launch_file.hpp"
#include "sim/yaml/yaml_document.hpp"

namespace tofn {
inline namespace formats {
namespace {

bool is_scalar_list(const YamlValue& list) {
  return std::ranges::all_of(list.items,
                             [](const YamlValue& item) { return item.kind == YamlKind::Scalar; });
}

/// True for a number of YAML 1.1, which may have `_` between its digits: `150_001`.
bool has_grouped_digits(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return text.find('_') != std::string_view::npos && text.front() >= '1' && text.front() <= '9' &&
         text.find_first_not_of("0123456789_.") == std::string_view::npos &&
         std::ranges::count(text, '.') <= 1;
}

/// Returns `True`, `~` and `150_001` of YAML as other syntaxes write them.
std::string plain_value(const YamlValue& scalar, LaunchFormat format) {
  if (scalar.is_quoted) return scalar.text;
  std::string lower = lower_case(scalar.text);
  if (lower == "true" || lower == "false" || lower == "null") return lower;
  if (format != LaunchFormat::Yaml || !has_grouped_digits(scalar.text))
    return scalar.text == "~" ? "null" : scalar.text;
  std::string digits = scalar.text;
  std::erase(digits, '_');
  return digits;
}

/// Adds the settings of a document. Keys of nested maps are joined by dots; items of lists of maps
/// have their index as key.
class YamlSettings {
 public:
  explicit YamlSettings(LaunchFile& file) : file_(file) {}

  void add(const std::string& key, const YamlValue& value) {
    const Location place{file_.path, value.line, value.column};
    switch (value.kind) {
      case YamlKind::Nothing:
        file_.settings.push_back({key, "null", place});
        return;
      case YamlKind::Scalar:
        file_.settings.push_back({key, plain_value(value, file_.format), place});
        return;
      case YamlKind::List:
        add_list(key, value, place);
        return;
      case YamlKind::Map:
        break;
    }
    const std::string prefix = key.empty() ? "" : key + ".";
    for (const YamlEntry& entry : value.entries) add(prefix + entry.key, entry.value);
  }

 private:
  void add_list(const std::string& key, const YamlValue& list, const Location& place) {
    if (is_scalar_list(list)) {
      std::string items;
      for (const YamlValue& item : list.items)
        items += (items.empty() ? "" : " ") + plain_value(item, file_.format);
      file_.settings.push_back({key, items, place, true});
      return;
    }
    for (std::size_t i = 0; i < list.items.size(); ++i)
      add(fmt::format("{}.{}", key, i), list.items[i]);
  }

  LaunchFile& file_;
};

/// Replaces references such as `${model.hidden_size}` and `${.name}` by their values, as OmegaConf
/// does, and `${NAME:value}`, an environment variable, by its default.
class References {
 public:
  explicit References(LaunchFile& file) : file_(file) {
    for (const LaunchSetting& setting : file.settings) values_[setting.key] = setting.value;
  }

  void resolve() {
    std::vector<LaunchSetting> resolved;
    for (LaunchSetting& setting : file_.settings) {
      if (setting.value.find("${") == std::string::npos) {
        resolved.push_back(std::move(setting));
        continue;
      }
      if (const auto value = text(setting.value, setting.key, 0))
        resolved.push_back({setting.key, *value, setting.place, setting.is_list});
      else
        file_.not_understood.push_back(
            {setting.key, setting.value, "this reference is not understood", setting.place});
    }
    file_.settings = std::move(resolved);
  }

 private:
  std::optional<std::string> text(std::string_view value, const std::string& key, int depth) const {
    constexpr int deepest = 16;
    constexpr std::size_t longest = 10'000;
    std::string whole;
    for (;;) {
      const std::size_t start = value.find("${");
      whole += value.substr(0, start);
      if (start == std::string_view::npos) return whole;
      const std::size_t end = closing_brace(value, start + 2);
      if (end == std::string_view::npos || depth == deepest) return std::nullopt;
      const auto name = text(value.substr(start + 2, end - start - 2), key, depth + 1);
      const auto inside = name ? referred(*name, key, depth) : std::nullopt;
      if (!inside || whole.size() + inside->size() > longest) return std::nullopt;
      whole += *inside;
      value.remove_prefix(end + 1);
    }
  }

  static std::size_t closing_brace(std::string_view value, std::size_t at) {
    for (int open = 1; at < value.size(); ++at) {
      open += (value[at] == '{') - (value[at] == '}');
      if (open == 0) return at;
    }
    return std::string_view::npos;
  }

  std::optional<std::string> referred(std::string_view name, const std::string& key,
                                      int depth) const {
    if (const std::size_t colon = name.find(':'); colon != std::string_view::npos)
      return resolved(name.substr(0, colon), name.substr(colon + 1));
    auto found = values_.find(absolute(name, key));
    constexpr std::string_view launcher = "training.";  // NeMo's launcher puts these files there
    if (found == values_.end() && name.starts_with(launcher))
      found = values_.find(name.substr(launcher.size()));
    if (found == values_.end()) return std::nullopt;
    return text(found->second, found->first, depth + 1);
  }

  /// Value of `NAME:value`, `oc.env:NAME,value`, or NeMo's `multiply:4, 12288`; absent if it is not
  /// understood.
  static std::optional<std::string> resolved(std::string_view function, std::string_view rest) {
    const bool is_variable = std::ranges::all_of(function, [](char letter) {
      return std::isupper(static_cast<unsigned char>(letter)) != 0 || letter == '_' ||
             std::isdigit(static_cast<unsigned char>(letter)) != 0;
    });
    if (is_variable) return std::string(rest);
    const std::size_t comma = rest.find(',');
    if (comma == std::string_view::npos) return std::nullopt;
    const auto trimmed = [](std::string_view part) {
      const std::size_t start = std::min(part.find_first_not_of(' '), part.size());
      return part.substr(start, part.find_last_not_of(' ') + 1 - start);
    };
    const std::string_view first = trimmed(rest.substr(0, comma));
    const std::string_view second = trimmed(rest.substr(comma + 1));
    if (function == "oc.env") return std::string(second);
    long long left = 0;
    long long right = 0;
    long long result = 0;
    const bool are_numbers = parse_integer(first, left) && parse_integer(second, right);
    const bool is_product = function == "multiply";
    if (!are_numbers || (!is_product && function != "sum")) return std::nullopt;
    const bool overflows = is_product ? __builtin_mul_overflow(left, right, &result)
                                      : __builtin_add_overflow(left, right, &result);
    return overflows ? std::nullopt : std::optional(fmt::format("{}", result));
  }

  /// Returns the whole key: `.name` is beside the key that contains it, `..name` one level up.
  static std::string absolute(std::string_view name, const std::string& key) {
    if (!name.starts_with('.')) return std::string(name);
    std::string folder = key;
    for (; name.starts_with('.'); name.remove_prefix(1)) {
      const std::size_t dot = folder.rfind('.');
      folder.erase(dot == std::string::npos ? 0 : dot);
    }
    return folder.empty() ? std::string(name) : folder + "." + std::string(name);
  }

  LaunchFile& file_;
  std::map<std::string, std::string, std::less<>> values_;
};

/// Keys of MaxText and accelerate that name another file of settings.
constexpr std::array<std::string_view, 2> naming_yaml_keys{
    "base_config", "deepspeed_config.deepspeed_config_file"};

}  // namespace

void read_yaml_settings(std::string_view text, LaunchFile& file) {
  YamlSettings(file).add("", parse_old_yaml(text, file.path).root);
  References(file).resolve();
  const std::vector<LaunchSetting> settings = file.settings;
  for (const LaunchSetting& setting : settings) {
    if (is_any_of(setting.key, naming_yaml_keys) && setting.value != "null" &&
        !setting.value.empty() && !read_named_file(setting.value, file))
      file.not_understood.push_back(
          {setting.key, setting.value, std::string(missing_file), setting.place});
  }
}

}  // namespace formats
}  // namespace tofn
