#pragma once

#include <string>
#include <vector>

#include "sim/validation/causes.hpp"
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
  bool system_is_known = false;  ///< whether other tables of its system were to hand
  MadeFault fault;               ///< of factor 1: as it was published
  double deviations = 0;
};

/// Every known table that lint trusts and whose calls do not wait for the host, held against what
/// tables of other systems say, and against those with the others of its own system where there are
/// any; as published, and slowed. Its own rows never teach: its noise and what its laboratory is
/// off by are those of a table that nobody has seen.
std::vector<DetectionTrial> detection_trials(const Knowledge&);

struct DetectionRate {
  MadeFault fault;
  std::size_t tables = 0;
  double found = 0;  ///< share, at the threshold
};
struct DetectionSummary {
  bool system_is_known = false;
  std::size_t healthy = 0;
  double threshold = 0;  ///< deviations that the asked share of healthy tables exceeds
  double area = 0;       ///< under the ROC curve of tables twice as slow
  std::vector<DetectionRate> rates;
};

/// Rates at the threshold that `false_alarms` of the healthy tables exceed.
DetectionSummary summary_of(const std::vector<DetectionTrial>&, bool system_is_known,
                            double false_alarms);

/// A cause made up on a published table: its times multiplied by what the cause would do to the
/// links that the table itself shows, and what is said of it by those who know other tables alone.
struct CauseTrial {
  std::string file;
  bool system_is_known = false;
  const SlownessCause* made = nullptr;
  bool is_sweep = false;  ///< of small and large messages: 64 KiB and less to 64 MiB and more
  bool is_found = false;  ///< slow by what alarms
  std::vector<LikelyCause> told{};  ///< the likeliest first
};

/// Causes of drawn gravity and variety on the tables of detection_trials whose times are their
/// library's choice, each where it makes a quarter of the sizes, three and more, take half as long
/// again. The same draws in every run.
std::vector<CauseTrial> cause_trials(const Knowledge&);

}  // namespace validation
}  // namespace tofn
