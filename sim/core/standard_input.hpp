#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tofn {

/// Whether a file's name stands for standard input: `-`.
bool is_standard_input(const std::filesystem::path&);

/// The name of a file for people: `standard input`, or its path.
std::string file_label(const std::filesystem::path&);

/// The whole of standard input, which is read once: readers after the first get the same text.
const std::string& standard_input_text();

/// How a file's name ends, such as `.yaml`. Standard input has no name: what its text begins like
/// decides, `.json`, `.yaml`, `.csv`, or nothing where it is none of these, as of a log.
std::string file_ending(const std::filesystem::path&);

/// Whether a file is YAML by its ending.
bool is_yaml(const std::filesystem::path&);

/// The ending of any text.
std::string ending_by_content(std::string_view text);

}  // namespace tofn
