#include "sim/config/load_parts.hpp"
#include "sim/core/json.hpp"

namespace tofn {
inline namespace config {

std::string yaml_text(std::string_view text) { return json_text(text); }

}  // namespace config
}  // namespace tofn
