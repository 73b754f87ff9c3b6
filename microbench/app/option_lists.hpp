#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/options/command_line.hpp"
#include "sim/options/option_values.hpp"

namespace tofn::bench {

enum class Processors { Gpu, Cpu };
inline constexpr std::array<std::pair<std::string_view, Processors>, 2> processors{
    {{"gpu", Processors::Gpu}, {"cpu", Processors::Cpu}}};

// Values of options by their names; absent if not given.

std::optional<std::string> text_option(const options::variables_map&, const char* name);
/// True if a switch is given.
bool is_given(const options::variables_map&, const char* name);
/// Whole number from 1 to `most`.
std::optional<int> count_option(const options::variables_map&, const char* name,
                                int most = 1'000'000);
/// Choice by its name in a table.
template <class E, std::size_t N>
std::optional<E> choice_option(const options::variables_map& values, const char* name,
                               const std::array<std::pair<std::string_view, E>, N>& table) {
  const auto text = text_option(values, name);
  if (!text) return {};
  return choice_in(table, *text, std::string("--") + name);
}

/// Amount above zero, with its unit.
template <class Q>
std::optional<Q> quantity_option(const options::variables_map& values, const char* name) {
  const auto text = text_option(values, name);
  if (!text) return {};
  return amount_of<Q>(*text, std::string("--") + name);
}

/// Names in a comma-separated option, each one of `valid` (a `noun`); `_` may stand for `-`.
std::vector<std::string> names_option(const options::variables_map&, const char* name,
                                      std::string_view noun, const std::vector<std::string>& valid);

/// The sizes in a comma-separated option, in bytes, ascending.
std::vector<double> sizes_option(const options::variables_map&, const char* name);

/// `--configs`, else the default (core/configs_folder.hpp).
std::filesystem::path configs_folder(const options::variables_map&);

}  // namespace tofn::bench
