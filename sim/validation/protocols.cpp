#include "sim/validation/protocols.hpp"

#include <array>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/core/row_named.hpp"

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
      ScoringProtocol{"related",
                      "formulas of links fitted to tables of other systems, with the other tables "
                      "of its system",
                      true, score_related},
  };
  return table;
}

const ScoringProtocol& protocol_named(const std::string& name, std::string_view option) {
  return row_named(protocols(), "protocol", name, {}, option);
}

}  // namespace validation
}  // namespace tofn
