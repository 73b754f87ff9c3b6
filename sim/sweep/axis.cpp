#include "sim/sweep/axis.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/config/load_plan.hpp"
#include "sim/core/quantity_text.hpp"

namespace tofn {
inline namespace sweep {
namespace {

/// Last word of the path, made a name that expressions can use.
std::string default_name(const Axis& axis) {
  std::string name = axis.path.substr(axis.path.find_last_of('.') + 1);
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return axis.multiplies ? name + "_factor" : name;
}

bool is_word(const std::string& name) {
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
         std::ranges::all_of(name,
                             [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

void check_factors(const Axis& axis, const YamlNode& node) {
  for (const std::string& value : axis.values) {
    double factor = 0;
    if (!parse_number(value, factor) || !(factor > 0))
      node.fail(fmt::format("'{}' is no factor above 0", value));
  }
}

/// Sets the name of an axis and how its values apply.
void finish(Axis& axis, Fields& fields, const YamlNode& node) {
  axis.name = default_name(axis);
  axis.path = whole_path(axis.path);
  if (const auto name = fields.optional_child("name")) {
    name->read(axis.name);
    if (!is_word(axis.name)) name->fail("must be a word of letters, digits and _");
  }
  axis.values = read_axis_values(fields, node);
  if (axis.multiplies) check_factors(axis, node);
  fields.done();
}

/// Reads `tp: [1, 2, 4]`, or `accelerators: {doubling: {from: 8, to: 64}}`.
Axis read_short_axis(const std::string& path, const YamlNode& values) {
  Axis axis;
  axis.path = path;
  axis.location = values.location();
  if (values.is_map()) {
    Fields fields = values.fields();
    finish(axis, fields, values);
    return axis;
  }
  axis.name = default_name(axis);
  axis.path = whole_path(path);
  axis.values = read_value_list(values);
  return axis;
}

Axis read_axis(const YamlNode& node) {
  if (const auto entries = node.entries();
      entries.size() == 1 && !entries.front().second.is_scalar())
    return read_short_axis(entries.front().first, entries.front().second);
  Axis axis;
  Fields fields = node.fields();
  if (const auto factor = fields.optional_child("multiply")) {
    if (fields.has("path")) factor->fail("is another way to say path: leave one out");
    factor->read(axis.path);
    axis.multiplies = true;
    axis.location = factor->location();
  } else {
    const YamlNode path = fields.child("path");
    path.read(axis.path);
    axis.location = path.location();
  }
  finish(axis, fields, node);
  return axis;
}

}  // namespace

std::string whole_path(const std::string& path) {
  if (path == "sequence_length") return "model.sequence_length";
  for (const PlanKey& word : plan_keys())
    if (word.word == path) return fmt::format("plan.{}", word.key);
  return path;
}

AxisGroup read_axis_group(const YamlNode& node) {
  const auto entries = node.entries();
  if (entries.size() != 1 || entries.front().first != "zip") return {{read_axis(node)}};
  AxisGroup group;
  const YamlNode& zip = entries.front().second;
  for (const YamlNode& item : zip.items()) group.axes.push_back(read_axis(item));
  if (group.axes.empty()) zip.fail("needs at least one axis");
  for (const Axis& axis : group.axes)
    if (axis.values.size() != group.size())
      zip.fail(fmt::format("{} has {} values, {} has {}: zipped axes have as many",
                           group.axes.front().name, group.size(), axis.name, axis.values.size()));
  return group;
}

}  // namespace sweep
}  // namespace tofn
