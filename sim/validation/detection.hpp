#pragma once

#include <string>
#include <vector>

#include "sim/validation/formula.hpp"

namespace tofn {
inline namespace validation {

/// A fault made up on a published table: so many times the time of all its rows, or of those from
/// the middle of its sizes on.
struct MadeFault {
  double factor = 1;
  bool is_above_a_size = false;
};

/// How telling a table's slowdown is, without and with the fault.
struct DetectionTrial {
  std::string file;
  bool make_is_known = false;  ///< whether other tables of its make were to hand
  MadeFault fault;             ///< of factor 1: as it was published
  double deviations = 0;
};

/// Every known table that lint trusts and whose calls do not wait for the host, held against what
/// tables of other makes say, and against those with the others of its own make where there are
/// any; as published, and slowed. Its own rows never teach: its noise and what its laboratory is
/// off by are those of a table that nobody has seen.
std::vector<DetectionTrial> detection_trials(const Knowledge&);

struct DetectionRate {
  MadeFault fault;
  std::size_t tables = 0;
  double found = 0;  ///< share, at the threshold
};
struct DetectionSummary {
  bool make_is_known = false;
  std::size_t healthy = 0;
  double threshold = 0;  ///< deviations that the asked share of healthy tables exceeds
  double area = 0;       ///< under the ROC curve of tables twice as slow
  std::vector<DetectionRate> rates;
};

/// Rates at the threshold that `false_alarms` of the healthy tables exceed.
DetectionSummary summary_of(const std::vector<DetectionTrial>&, bool make_is_known,
                            double false_alarms);

}  // namespace validation
}  // namespace tofn
