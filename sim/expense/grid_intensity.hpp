#pragma once

#include <string>

namespace tofn {
inline namespace expense {

/// g CO2e of a kWh. InputError unless it is a number above 0, without a unit, that power stations
/// can emit.
double grid_intensity_of(const std::string& text);

}  // namespace expense
}  // namespace tofn
