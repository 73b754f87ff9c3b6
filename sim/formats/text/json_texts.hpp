#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace tofn {
inline namespace formats {

/// Returns the texts and numbers of a JSON object by key, numbers as text; empty if the file is
/// missing or contains no object.
std::map<std::string, std::string> json_texts(const std::filesystem::path&);

}  // namespace formats
}  // namespace tofn
