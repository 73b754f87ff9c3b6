#pragma once

#include <string>

#include "sim/cluster/prices.hpp"
#include "sim/parallelism/run_settings.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace config {

/// Reads a map of terms to prices: `on_demand: 6.88 USD/h [source]`.
Prices read_prices(const YamlNode&);
/// Reads the prices of a map that also has other keys.
Prices read_prices(Fields&);

/// Reads the map `settings` of plans and step profiles: all run settings except release and
/// evaluations.
void read_run_settings(const YamlNode&, RunSettings&);

/// Returns the map as `settings:` and indented lines; empty if nothing is stated.
std::string run_settings_yaml(const RunSettings&);

}  // namespace config
}  // namespace tofn
