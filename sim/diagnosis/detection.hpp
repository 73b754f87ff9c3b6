#pragma once

#include <string>
#include <vector>

#include "sim/diagnosis/causes.hpp"
#include "sim/validation/formula.hpp"

namespace tofn {
inline namespace diagnosis {

/// A simulated fault on a published table: `factor` multiplies the time of all its rows, or of
/// those from the middle of its sizes on.
struct MadeFault {
  double factor = 1;
  bool is_above_a_size = false;
};

/// Significance of a table's slowdown, without and with the fault.
struct DetectionTrial {
  std::string file;
  bool system_is_known = false;  ///< true if other tables of its system were used
  MadeFault fault;               ///< factor 1: as published
  double deviations = 0;
};

/// Trials of every known table that lint accepts and whose calls do not wait for the host, as
/// published and slowed. Each is compared with the tables of other systems, and also with the
/// others of its own system if there are any. Its own rows are never used, so that its noise and
/// the deviation of its laboratory are those of an unknown table.
std::vector<DetectionTrial> detection_trials(const Knowledge&);

struct DetectionRate {
  MadeFault fault;
  std::size_t tables = 0;
  double found = 0;  ///< share of tables above the threshold
};
struct DetectionSummary {
  bool system_is_known = false;
  std::size_t healthy = 0;
  double threshold = 0;  ///< deviations that the requested share of healthy tables exceeds
  double area = 0;       ///< under the ROC curve for tables twice as slow
  std::vector<DetectionRate> rates;
};

/// Rates of detection at the threshold that `false_alarms` of the healthy tables exceed.
DetectionSummary summary_of(const std::vector<DetectionTrial>&, bool system_is_known,
                            double false_alarms);

/// A simulated cause on a published table, and the diagnosis from other tables alone. The cause's
/// effect on the links that the table itself shows multiplies its times.
struct CauseTrial {
  std::string file;
  bool system_is_known = false;
  const SlownessCause* made = nullptr;
  bool is_sweep = false;  ///< has small and large messages: 64 KiB and less to 64 MiB and more
  bool is_found = false;  ///< the alarm finds it slow
  std::vector<LikelyCause> reported{};  ///< most likely first
};

/// Trials of causes with random gravity and variety, on those tables of detection_trials whose
/// times are their library's choice. A trial counts if at least a quarter of the sizes, and three,
/// take at least 1.5 times as long. Every run draws the same numbers.
std::vector<CauseTrial> cause_trials(const Knowledge&);

}  // namespace diagnosis
}  // namespace tofn
