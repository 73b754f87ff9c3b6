#include "sim/validation/protocols.hpp"

#include <array>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/core/names.hpp"

namespace tofn {
inline namespace validation {

std::span<const ScoringProtocol> protocols() {
  static constexpr std::array table{
      ScoringProtocol{"split", "every other size calibrates, the others are scored", false,
                      [](std::span<const CollectiveTable> tables, const Knowledge&) {
                        return score_split(tables);
                      }},
      ScoringProtocol{"nodes", "few nodes calibrate, up to four times as many are scored", false,
                      [](std::span<const CollectiveTable> tables, const Knowledge&) {
                        return score_nodes(tables);
                      }},
      ScoringProtocol{"formula", "formulas of links fitted to tables of other systems", true,
                      score_formula},
      ScoringProtocol{"related", "the same, with the other tables of its system", true,
                      score_related},
  };
  return table;
}

const ScoringProtocol& protocol_named(const std::string& name, std::string_view option) {
  std::vector<std::string> names;
  for (const ScoringProtocol& protocol : protocols()) {
    if (protocol.name == name) return protocol;
    names.emplace_back(protocol.name);
  }
  throw InputError({}, option, unknown_name("protocol", name, names));
}

}  // namespace validation
}  // namespace tofn
