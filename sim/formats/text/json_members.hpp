#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

namespace tofn {
inline namespace formats {

/// Returns the value of a key; null if it is absent, or if `object` is not an object.
inline const nlohmann::json& json_at(const nlohmann::json& object, const char* key) {
  static const nlohmann::json null;
  if (!object.is_object()) return null;
  const auto found = object.find(key);
  return found == object.end() ? null : *found;
}

/// Returns the text of a key; empty if its value is not text.
inline std::string json_text_at(const nlohmann::json& object, const char* key) {
  const nlohmann::json& value = json_at(object, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

/// Returns the number of a key; absent if its value is no number.
inline std::optional<double> json_number_at(const nlohmann::json& object, const char* key) {
  const nlohmann::json& value = json_at(object, key);
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

}  // namespace formats
}  // namespace tofn
