#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace tofn {
inline namespace measurements {

/// The value of a key; null where there is none, or where this is no object.
inline const nlohmann::json& json_at(const nlohmann::json& object, const char* key) {
  static const nlohmann::json null;
  if (!object.is_object()) return null;
  const auto found = object.find(key);
  return found == object.end() ? null : *found;
}

/// The text of a key; empty where its value is none.
inline std::string json_text_at(const nlohmann::json& object, const char* key) {
  const nlohmann::json& value = json_at(object, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

}  // namespace measurements
}  // namespace tofn
