#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/options/option_values.hpp"

namespace tofn::bench {

enum class Processors { Gpu, Cpu };
inline constexpr std::array<std::pair<std::string_view, Processors>, 2> processors{
    {{"gpu", Processors::Gpu}, {"cpu", Processors::Cpu}}};

/// The names in a comma-separated option, each one of `valid` (a `noun`); `_` may stand for `-`.
std::vector<std::string> names_option(const options::variables_map&, const char* name,
                                      std::string_view noun, const std::vector<std::string>& valid);

/// The sizes in a comma-separated option, in bytes, ascending.
std::vector<double> sizes_option(const options::variables_map&, const char* name);

/// `--configs`, else the default (core/configs_folder.hpp).
std::filesystem::path configs_folder(const options::variables_map&);

}  // namespace tofn::bench
