#include "sim/formats/text/json_texts.hpp"

#include <fstream>

#include <nlohmann/json.hpp>

namespace tofn {
inline namespace formats {

std::map<std::string, std::string> json_texts(const std::filesystem::path& path) {
  std::map<std::string, std::string> texts;
  std::ifstream file(path);
  if (!file) return texts;
  const auto object = nlohmann::json::parse(file, nullptr, false);
  if (!object.is_object()) return texts;
  for (const auto& [key, value] : object.items()) {
    if (value.is_string()) texts[key] = value.get<std::string>();
    if (value.is_number()) texts[key] = value.dump();
  }
  return texts;
}

}  // namespace formats
}  // namespace tofn
