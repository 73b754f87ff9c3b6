#include "sim/yaml/read_in.hpp"

#include "sim/core/json.hpp"

namespace tofn {
inline namespace yaml {

std::string yaml_text(std::string_view text) { return json_text(text); }

}  // namespace yaml
}  // namespace tofn
