#pragma once

#include <string>

#include "sim/core/statistics.hpp"
#include "sim/validation/link_fit.hpp"

namespace tofn {
inline namespace validation {

/// Predicted time of a collective on ranks that were not measured, fitted to tables.
struct LearnedTime {
  Seconds time;           ///< most likely
  double reach = 0;       ///< half-width of the 90 % interval, as a logarithm
  int tables = 0;         ///< of the machine itself, which are fitted together with all others
  std::string machine{};  ///< machine of these tables
  Seconds least{};        ///< that the full links allow; 0: unknown

  /// Interval around a time that formulas give, of times that the links allow.
  Interval around(Seconds) const;
};

/// Predicts by the links of the machine's families and, if `system_is_known`, by its own tables, as
/// the protocols `formula` and `related` score it. `nominal`: the ranks on
/// `with_nominal_links(machine)`. Links without a family are as uncertain as those of a family
/// without tables.
LearnedTime learned_time(const LinkFit&, const Cluster& machine, const Communicator& nominal,
                         CollectiveKind, Bytes size, bool system_is_known);

}  // namespace validation
}  // namespace tofn
