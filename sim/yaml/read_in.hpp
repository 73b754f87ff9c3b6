#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/core/json.hpp"
#include "sim/core/range.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace yaml {

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

/// Returns a double-quoted scalar; JSON strings are YAML (1.2.2, section 1.2).
inline std::string yaml_text(std::string_view text) { return json_text(text); }

}  // namespace yaml
}  // namespace tofn
