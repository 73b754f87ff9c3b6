#pragma once

#include <string>

#include "sim/core/statistics.hpp"
#include "sim/validation/link_fit.hpp"

namespace tofn {
inline namespace validation {

/// What tables teach of a collective on ranks that nobody measured.
struct LearntTime {
  Seconds time;           ///< likeliest
  double reach = 0;       ///< of the 90 % interval, up and down, as a logarithm
  int tables = 0;         ///< of the machine's own, which taught it with all others
  std::string machine{};  ///< whose they are

  /// The interval of a time that formulas give.
  Interval around(Seconds) const;
};

/// By the links of its families and, where `system_is_known`, by the machine's own tables: as the
/// protocols `formula` and `kin` score it. `nominal`: the ranks on `with_nominal_links(machine)`.
/// Links of no family are in as much doubt as those of one that no table taught.
LearntTime learnt_time(const LinkFit&, const Cluster& machine, const Communicator& nominal,
                       CollectiveKind, Bytes size, bool system_is_known);

}  // namespace validation
}  // namespace tofn
