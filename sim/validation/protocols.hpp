#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sim/measurements/collective_table.hpp"
#include "sim/validation/formula.hpp"
#include "sim/validation/score.hpp"

namespace tofn {
inline namespace validation {

/// A way to hold measurements back from a calibration and to score it on them.
struct ScoringProtocol {
  std::string_view name;
  std::string_view what;
  bool needs_knowledge = false;  ///< else it gets an empty one
  Scores (*score)(std::span<const CollectiveTable>, const Knowledge&);
};

/// Every protocol. Add one here: a row, and a file beside the others.
std::span<const ScoringProtocol> protocols();

/// InputError with the valid names if unknown; `option` is named.
const ScoringProtocol& protocol_named(const std::string& name, std::string_view option);

/// Every other size calibrates, the others are scored; then the other way round.
Scores score_split(std::span<const CollectiveTable>);

/// Few nodes calibrate, up to four times as many are scored; tables whose file names differ only in
/// `NxG` (nodes x ranks per node) and that agree in all else are one machine.
Scores score_nodes(std::span<const CollectiveTable>);

}  // namespace validation
}  // namespace tofn
