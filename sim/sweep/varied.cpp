#include "sim/sweep/varied.hpp"

#include <cassert>
#include <utility>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/yaml/yaml_change.hpp"

namespace tofn {
inline namespace sweep {

VariedDocument::VariedDocument(const Sweep& sweep, std::string_view key,
                               std::optional<std::string> base_name,
                               const std::function<YamlNode(const std::string& name)>& open)
    : base_name_(std::move(base_name)) {
  const std::string prefix = std::string(key) + '.';
  for (const PlacedAxis& placed : placed_axes(sweep)) {
    const std::string& path = placed.axis->path;
    if (path == key) name_axes_.push_back(placed);
    if (path.starts_with(prefix)) changes_.push_back({placed, path.substr(prefix.size())});
  }
  const auto open_once = [&](const std::string& name, const Location& stated) {
    if (open && !files_.contains(name))
      files_.emplace(name, at_key(stated, key, [&] { return open(name); }));
  };
  if (base_name_ && name_axes_.empty()) open_once(*base_name_, sweep.base.location);
  for (const PlacedAxis& placed : name_axes_)
    for (const std::string& name : placed.axis->values) open_once(name, placed.axis->location);
}

const std::string& VariedDocument::name_at(const Positions& positions) const {
  return name_axes_.empty() ? base_name_.value() : name_axes_.front().value(positions);
}

YamlNode VariedDocument::at(const Positions& positions) const {
  return changed(files_.at(name_at(positions)), positions);
}

YamlNode VariedDocument::changed(const YamlNode& base, const Positions& positions,
                                 const MovedWith& moved_with) const {
  YamlNode result = base;
  for (const Change& change : changes_) {
    const std::string& value = change.axis.value(positions);
    if (!change.axis.axis->multiplies) {
      result = with_text(result, change.path, value);
      continue;
    }
    std::vector<std::string> paths{change.path};
    if (moved_with)
      for (std::string& path : moved_with(change.path)) paths.push_back(std::move(path));
    for (const std::string& path : paths)
      result = with_text(result, path, multiplied(text_at(result, path), value));
  }
  return result;
}

std::uint64_t VariedDocument::variant(const Positions& positions, std::uint64_t so_far) const {
  std::uint64_t number = so_far;
  const auto add = [&](const PlacedAxis& placed) {
    number = number * placed.axis->values.size() + positions[placed.group];
  };
  for (const PlacedAxis& placed : name_axes_) add(placed);
  for (const Change& change : changes_) add(change.axis);
  return number;
}

std::string multiplied(const std::string& text, const std::string& factor) {
  const std::size_t space = text.find(' ');
  double number = 0;
  double times = 0;
  if (!parse_number(text.substr(0, space), number) || !parse_number(factor, times))
    throw InputError(fmt::format("'{}' is no number that a factor could multiply", text));
  return fmt::format("{:.12g}{}", number * times,
                     space == std::string::npos ? std::string() : text.substr(space));
}

}  // namespace sweep
}  // namespace tofn
