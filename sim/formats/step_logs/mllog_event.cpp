#include "sim/formats/step_logs/mllog_event.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

#include "sim/core/quantity_text.hpp"
#include "sim/formats/text/json_members.hpp"

namespace tofn {
inline namespace formats {
namespace {

using EventJson = nlohmann::json;
constexpr std::string_view mark = ":::MLLOG";

std::optional<double> number_of(const EventJson& value) {
  double number = 0;
  if (value.is_string() && parse_number(value.get<std::string>(), number)) return number;
  if (!value.is_number() || !std::isfinite(value.get<double>())) return {};
  return value.get<double>();
}

MllogFigures figures_of(const EventJson& object) {
  MllogFigures figures;
  if (!object.is_object()) return figures;
  for (const auto& [name, value] : object.items())
    if (const auto number = number_of(value)) figures.emplace_back(name, *number);
  return figures;
}

}  // namespace

std::optional<double> figure_named(const MllogFigures& figures, std::string_view name) {
  for (const auto& [each, value] : figures)
    if (each == name) return value;
  return {};
}

bool has_mllog_mark(std::string_view line) { return line.find(mark) != std::string_view::npos; }

std::optional<MllogEvent> parse_mllog(std::string_view line) {
  const std::size_t start = line.find(mark);
  if (start == std::string_view::npos) return {};
  const EventJson content = EventJson::parse(line.substr(start + mark.size()), nullptr, false);
  if (!json_at(content, "key").is_string()) return {};
  const EventJson& value = json_at(content, "value");
  const EventJson& metadata = json_at(content, "metadata");
  return MllogEvent{.key = json_text_at(content, "key"),
                    .milliseconds = number_of(json_at(content, "time_ms")),
                    .text = json_text_at(content, "value"),
                    .number = number_of(value),
                    .figures = figures_of(value),
                    .metadata = figures_of(metadata),
                    .status = json_text_at(metadata, "status")};
}

}  // namespace formats
}  // namespace tofn
