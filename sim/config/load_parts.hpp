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

/// Reads a required value of this range.
template <class T>
void read_in(const Range& range, Fields& fields, std::string_view key, T& out) {
  const YamlNode node = fields.child(key);
  node.read(out);
  if (!range.holds(number_of(out))) node.mistaken(range.rule, out);
}
/// The same of one that may be absent.
template <class T>
void read_in(const Range& range, Fields& fields, std::string_view key, std::optional<T>& out) {
  if (fields.has(key)) read_in(range, fields, key, out.emplace());
}

template <class T>
void read_positive(Fields& fields, std::string_view key, T& out) {
  read_in(range::positive, fields, key, out);
}

/// A map of terms to prices: `on_demand: 6.88 USD/h [source]`.
Prices read_prices(const YamlNode&);
/// Those of a map that holds other keys too.
Prices read_prices(Fields&);

/// The map `settings` of plans and step profiles: all that a run states but its release and its
/// evaluations.
void read_run_settings(const YamlNode&, RunSettings&);

/// That map as `settings:` and indented lines; empty where nothing is stated.
std::string run_settings_yaml(const RunSettings&);

/// A double-quoted scalar; JSON's are YAML's (1.2.2, section 1.2).
std::string yaml_text(std::string_view text);

}  // namespace config
}  // namespace tofn
