#pragma once

#include <string>
#include <vector>

#include "sim/config/yaml_reader.hpp"

namespace tofn {

/// The values that an axis's fields ask for, by one of:
/// - `values`: a list as it is
/// - `range: {from, to, step}`: from, from + step, ... up to `to`
/// - `log_range: {from, to, count}`: equal quotients, both ends included
/// - `doubling: {from, to}`: from, 2 from, ... up to `to`
/// - `sample: {from, to, count, seed, spread}`: drawn evenly, or by `spread: log`
/// Numbers may bear a unit, the same at both ends. InputError where there are none or too many.
std::vector<std::string> read_axis_values(Fields&, const YamlNode& axis);

}  // namespace tofn
