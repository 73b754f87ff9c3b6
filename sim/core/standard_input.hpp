#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tofn {

/// True if the file's name stands for standard input: `-`.
bool is_standard_input(const std::filesystem::path&);

/// Name of a file for messages: `standard input`, or its path.
std::string file_label(const std::filesystem::path&);

/// Whole text of standard input. It is read once, and later calls return the same text.
const std::string& standard_input_text();

/// Ending of a file's name, such as `.yaml`. Standard input has no name, so that the beginning of
/// its text decides: `.json`, `.yaml`, `.csv`, or nothing for any other text, such as a log.
std::string file_ending(const std::filesystem::path&);

/// True if a file's ending is that of YAML.
bool is_yaml(const std::filesystem::path&);

/// Ending that suits the content of a text.
std::string ending_by_content(std::string_view text);

}  // namespace tofn
