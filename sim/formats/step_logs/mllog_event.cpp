#include "sim/formats/step_logs/mllog_event.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

#include "sim/core/quantity_text.hpp"

namespace tofn {
inline namespace formats {
namespace {

using EventJson = nlohmann::json;
using Figures = std::vector<std::pair<std::string, double>>;
constexpr std::string_view mark = ":::MLLOG";

/// Returns the value of a key, or null.
const EventJson& at(const EventJson& object, const char* key) {
  static const EventJson null;
  if (!object.is_object()) return null;
  const auto found = object.find(key);
  return found == object.end() ? null : *found;
}

std::optional<double> number_of(const EventJson& value) {
  double number = 0;
  if (value.is_string() && parse_number(value.get<std::string>(), number)) return number;
  if (!value.is_number() || !std::isfinite(value.get<double>())) return {};
  return value.get<double>();
}

Figures figures_of(const EventJson& object) {
  Figures figures;
  if (!object.is_object()) return figures;
  for (const auto& [name, value] : object.items())
    if (const auto number = number_of(value)) figures.emplace_back(name, *number);
  return figures;
}

std::optional<double> find(const Figures& figures, std::string_view name) {
  for (const auto& [each, value] : figures)
    if (each == name) return value;
  return {};
}

std::string text_of(const EventJson& value) {
  return value.is_string() ? value.get<std::string>() : std::string{};
}

}  // namespace

std::optional<double> MllogEvent::figure(std::string_view name) const {
  return find(figures, name);
}

std::optional<double> MllogEvent::of_metadata(std::string_view name) const {
  return find(metadata, name);
}

bool has_mllog_mark(std::string_view line) { return line.find(mark) != std::string_view::npos; }

std::optional<MllogEvent> parse_mllog(std::string_view line) {
  const std::size_t start = line.find(mark);
  if (start == std::string_view::npos) return {};
  const EventJson content = EventJson::parse(line.substr(start + mark.size()), nullptr, false);
  const EventJson& key = at(content, "key");
  if (!key.is_string()) return {};
  const EventJson& value = at(content, "value");
  const EventJson& metadata = at(content, "metadata");
  return MllogEvent{.key = key.get<std::string>(),
                    .milliseconds = number_of(at(content, "time_ms")),
                    .text = text_of(value),
                    .number = number_of(value),
                    .figures = figures_of(value),
                    .metadata = figures_of(metadata),
                    .status = text_of(at(metadata, "status"))};
}

}  // namespace formats
}  // namespace tofn
