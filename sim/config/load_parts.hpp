#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/cluster/prices.hpp"
#include "sim/config/yaml_reader.hpp"
#include "sim/core/range.hpp"
#include "sim/parallelism/run_settings.hpp"

namespace tofn {
inline namespace config {

/// Reads a required value within this range.
template <class T>
void read_in(const Range& range, Fields& fields, std::string_view key, T& out) {
  const YamlNode node = fields.child(key);
  node.read(out);
  if (!range.holds(number_of(out))) node.mistaken(range.rule, out);
}
/// Reads an optional value within this range.
template <class T>
void read_in(const Range& range, Fields& fields, std::string_view key, std::optional<T>& out) {
  if (fields.has(key)) read_in(range, fields, key, out.emplace());
}

template <class T>
void read_positive(Fields& fields, std::string_view key, T& out) {
  read_in(range::positive, fields, key, out);
}

/// Reads a map of terms to prices: `on_demand: 6.88 USD/h [source]`.
Prices read_prices(const YamlNode&);
/// Reads the prices of a map that also has other keys.
Prices read_prices(Fields&);

/// Reads the map `settings` of plans and step profiles: all run settings except release and
/// evaluations.
void read_run_settings(const YamlNode&, RunSettings&);

/// Returns the map as `settings:` and indented lines; empty if nothing is stated.
std::string run_settings_yaml(const RunSettings&);

/// Returns a double-quoted scalar; JSON strings are YAML (1.2.2, section 1.2).
std::string yaml_text(std::string_view text);

}  // namespace config
}  // namespace tofn
