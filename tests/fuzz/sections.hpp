#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/fuzz/yaml_mutator.hpp"

namespace tofn::fuzz {

/// Several files in one input, each after a line `=== NAME`.
using FileSections = std::vector<std::pair<std::string, std::string>>;

FileSections cut_into_files(const std::string& input);
std::string joined_files(const FileSections&);

/// With one of them changed. Empty where there is none that is YAML.
std::string mutated_files(const std::string& input, Dice&);

}  // namespace tofn::fuzz
