#pragma once

#include <string>

namespace tofn {
inline namespace expense {

/// Parses g CO2e per kWh. InputError unless it is a number without a unit, above 0, that power
/// stations can emit.
double grid_intensity_of(const std::string& text);

}  // namespace expense
}  // namespace tofn
