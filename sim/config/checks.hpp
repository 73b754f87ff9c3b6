#pragma once

#include <optional>
#include <string_view>

#include "sim/config/yaml_reader.hpp"
#include "sim/core/range.hpp"

namespace tofn {

/// Reads a required value of this range.
template <class T>
void read_in(const Range& range, Fields& fields, std::string_view key, T& out) {
  const YamlNode node = fields.child(key);
  node.read(out);
  if (!range.holds(number_of(out))) node.fail(range.rule);
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

}  // namespace tofn
