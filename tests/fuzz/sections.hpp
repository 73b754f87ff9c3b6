#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/fuzz/yaml_mutator.hpp"

namespace tofn::fuzz {

/// Names and texts of several files in one input, each after a line `=== NAME`.
using FileSections = std::vector<std::pair<std::string, std::string>>;

FileSections cut_into_files(const std::string& input);
std::string joined_files(const FileSections&);

/// The input with one YAML file changed; empty if none of its files is YAML.
std::string mutated_files(const std::string& input, Dice&);

}  // namespace tofn::fuzz
