#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sim/curves/collective_table.hpp"
#include "sim/validation/formula.hpp"
#include "sim/validation/score.hpp"

namespace tofn {
inline namespace validation {

/// A way to hold out measurements from a calibration and to score it on them.
struct ScoringProtocol {
  std::string_view name;
  std::string_view what;
  bool needs_knowledge = false;  ///< false: it gets an empty one
  Scores (*score)(std::span<const CollectiveTable>, const Knowledge&);
};

/// All protocols. To add one, add a row there and a file beside the others.
std::span<const ScoringProtocol> protocols();

/// Finds a protocol by name. InputError at `option` with the valid names if it is unknown.
const ScoringProtocol& protocol_named(const std::string& name, std::string_view option);

/// Calibrates on every other size and scores the others; then the reverse.
Scores score_split(std::span<const CollectiveTable>);

/// Calibrates on few nodes and scores up to four times as many. Tables are of one machine if their
/// file names differ only in `NxG` (nodes x ranks per node) and they agree in all else.
Scores score_nodes(std::span<const CollectiveTable>);

}  // namespace validation
}  // namespace tofn
