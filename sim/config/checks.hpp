#pragma once

#include <optional>
#include <string_view>
#include <type_traits>

#include "sim/config/yaml_reader.hpp"
#include "sim/core/sourced.hpp"

namespace tofn {

template <class T>
double number_of(const T& value) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<double>(value);
  else
    return value.base();
}
template <class T>
double number_of(const Sourced<T>& value) {
  return number_of(value.value);
}

/// Reads a required value that must be above 0.
template <class T>
void read_positive(Fields& fields, std::string_view key, T& out) {
  const YamlNode node = fields.child(key);
  node.read(out);
  if (!(number_of(out) > 0)) node.fail("must be above 0");
}
/// Reads an optional value that, where present, must be above 0.
template <class T>
void read_positive(Fields& fields, std::string_view key, std::optional<T>& out) {
  if (const auto node = fields.optional_child(key)) {
    node->read(out.emplace());
    if (!(number_of(*out) > 0)) node->fail("must be above 0");
  }
}
/// Reads a required value of at least `least`.
template <class T>
void read_at_least(Fields& fields, std::string_view key, double least, T& out) {
  const YamlNode node = fields.child(key);
  node.read(out);
  if (!(number_of(out) >= least))
    node.fail(least == 0 ? "must not be negative" : "must be at least 1");
}
/// Reads a required share above 0 and at most 1.
template <class T>
void read_share(Fields& fields, std::string_view key, T& out) {
  const YamlNode node = fields.child(key);
  node.read(out);
  const double share = number_of(out);
  if (!(share > 0 && share <= 1)) node.fail("must be above 0 and at most 1");
}

}  // namespace tofn
