#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace tofn {
inline namespace measurements {

/// The texts and numbers of a JSON object by their keys, numbers as text; empty where the file is
/// missing or holds none.
std::map<std::string, std::string> json_texts(const std::filesystem::path&);

}  // namespace measurements
}  // namespace tofn
