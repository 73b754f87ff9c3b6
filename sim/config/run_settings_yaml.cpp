#include "sim/config/load_parts.hpp"
#include "sim/config/run_settings_rows.hpp"
#include "sim/yaml/field_rows.hpp"

namespace tofn {
inline namespace config {

void read_run_settings(const YamlNode& node, RunSettings& settings) {
  FieldReader::read_map(node, [&](auto& walk) { settings_rows(walk, settings); });
}

std::string run_settings_yaml(const RunSettings& settings) {
  FieldWriter writer("  ");
  settings_rows(writer, settings);
  return writer.text().empty() ? "" : "settings:\n" + writer.text();
}

}  // namespace config
}  // namespace tofn
