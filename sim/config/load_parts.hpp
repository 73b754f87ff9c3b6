#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "sim/cluster/prices.hpp"
#include "sim/parallelism/run_settings.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace config {

/// Reads a map of terms to prices: `on_demand: 6.88 USD/h [source]`.
Prices read_prices(const YamlNode&);
/// Reads `6.88 USD/h [source]`.
std::optional<Sourced<double>> read_price(const YamlNode&);
/// Rows of the prices, one a term.
template <class Walk>
void price_rows(Walk& walk, Prices& prices) {
  constexpr std::array<std::string_view, price_terms.size()> meanings{
      "rent of an accelerator-hour, for any time", "rent for a year in advance",
      "rent for three years in advance", "rent until somebody pays more"};
  for (std::size_t i = 0; i < prices.size(); ++i)
    walk.with({price_terms[i].first, meanings[i]}, "such as 6.88 USD/h",
              [&](const YamlNode& node) { prices[i] = read_price(node); });
}

/// Reads the map `settings` of plans and step profiles: all run settings except release and
/// evaluations.
void read_run_settings(const YamlNode&, RunSettings&);

/// Returns the map as `settings:` and indented lines; empty if nothing is stated.
std::string run_settings_yaml(const RunSettings&);

}  // namespace config
}  // namespace tofn
