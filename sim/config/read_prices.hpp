#pragma once

#include "sim/cluster/prices.hpp"
#include "sim/config/yaml_reader.hpp"

namespace tofn {

/// A map of terms to prices: `on_demand: 6.88 USD/h [source]`.
Prices read_prices(const YamlNode&);

}  // namespace tofn
