#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/yaml_reader.hpp"

namespace tofn {

/// A field and the values that it takes.
struct Axis {
  std::string name;         ///< its column
  std::string path;         ///< `accelerators`, `plan.tensor_parallel`, `cluster.network.latency`
  bool multiplies = false;  ///< values are factors on what the base has there
  std::vector<std::string> values;
  Location location{};  ///< in the sweep file
};

/// Axes that move together: all have as many values.
struct AxisGroup {
  std::vector<Axis> axes;

  std::size_t size() const { return axes.front().values.size(); }
};

/// One item of `axes`: `path` (or `multiply`), an optional `name`, and one of `values`, `range`,
/// `log_range`, `doubling` and `sample`; or `zip`, a list of such axes.
AxisGroup read_axis_group(const YamlNode&);

}  // namespace tofn
