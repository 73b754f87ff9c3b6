#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace sweep {

/// A field and the values that it takes.
struct Axis {
  std::string name;  ///< name of its column
  std::string path;  ///< `accelerators`, `plan.tensor_parallel`, `cluster.network.latency`; short
                     ///< words are expanded
  bool multiplies = false;  ///< values are factors that multiply the base's value
  std::vector<std::string> values;
  Location location{};  ///< in the sweep file
};

/// Path of the field that a plan's word stands for: `tp` is `plan.tensor_parallel`. Other paths are
/// returned as they are.
std::string whole_path(const std::string& path);

/// Axes that move together; all have the same number of values.
struct AxisGroup {
  std::vector<Axis> axes;

  std::size_t size() const { return axes.front().values.size(); }
};

/// Reads one item of `axes`: `path` (or `multiply`), an optional `name`, and one of `values`,
/// `range`, `log_range`, `doubling` and `sample`. Short forms are `tp: [1, 2, 4]`, the path before
/// a map of the other keys, and `zip`, a list of such axes.
AxisGroup read_axis_group(const YamlNode&);

/// Reads the values of an axis, which come from one of:
/// - `values`: a list
/// - `range: {from, to, step}`: from, from + step, ... up to `to`
/// - `log_range: {from, to, count}`: equal quotients, both ends included
/// - `doubling: {from, to}`: from, 2 from, ... up to `to`
/// - `sample: {from, to, count, seed, spread}`: drawn uniformly, or log-uniformly by `spread: log`
/// Numbers may have a unit, which both ends share. InputError if there are no values or too many.
std::vector<std::string> read_axis_values(Fields&, const YamlNode& axis);
/// Reads a list of at least one value; values that are lists become texts such as `[7, 8, 7]`.
std::vector<std::string> read_value_list(const YamlNode&);

}  // namespace sweep
}  // namespace tofn
