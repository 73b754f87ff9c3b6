#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/yaml_reader.hpp"

namespace tofn {
inline namespace sweep {

/// A field and the values that it takes.
struct Axis {
  std::string name;         ///< its column
  std::string path;         ///< `accelerators`, `plan.tensor_parallel`, `cluster.network.latency`;
                            ///< words of the plan in full
  bool multiplies = false;  ///< values are factors on what the base has there
  std::vector<std::string> values;
  Location location{};  ///< in the sweep file
};

/// The field that a word of the plan means: `tp` is `plan.tensor_parallel`; others are as they are.
std::string whole_path(const std::string& path);

/// Axes that move together: all have as many values.
struct AxisGroup {
  std::vector<Axis> axes;

  std::size_t size() const { return axes.front().values.size(); }
};

/// One item of `axes`: `path` (or `multiply`), an optional `name`, and one of `values`, `range`,
/// `log_range`, `doubling` and `sample`; in short `tp: [1, 2, 4]`, or the path before a map of the
/// rest; or `zip`, a list of such axes.
AxisGroup read_axis_group(const YamlNode&);

/// The values that an axis's fields ask for, by one of:
/// - `values`: a list as it is
/// - `range: {from, to, step}`: from, from + step, ... up to `to`
/// - `log_range: {from, to, count}`: equal quotients, both ends included
/// - `doubling: {from, to}`: from, 2 from, ... up to `to`
/// - `sample: {from, to, count, seed, spread}`: drawn evenly, or by `spread: log`
/// Numbers may bear a unit, the same at both ends. InputError where there are none or too many.
std::vector<std::string> read_axis_values(Fields&, const YamlNode& axis);
/// At least one; those that are lists themselves as `[7, 8, 7]`.
std::vector<std::string> read_value_list(const YamlNode&);

}  // namespace sweep
}  // namespace tofn
