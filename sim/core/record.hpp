#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sim/core/statistics.hpp"

namespace tofn {

/// The schema of the files that tofn-bench writes and tofn reads; microbench/README.md describes
/// it.
inline constexpr int record_schema = 1;

using RecordValue = std::variant<bool, long long, double, std::string>;
using RecordParameters = std::vector<std::pair<std::string, RecordValue>>;
using RecordTexts = std::vector<std::pair<std::string, std::string>>;
using RecordFigures = std::vector<std::pair<std::string, double>>;

/// What the samples of a point say of one call, in seconds.
struct RecordSummary {
  double median = 0;
  Interval interval;  ///< 95 %: where the median of a much longer run of the same kind lies
  Interval repeat;    ///< 95 %: where the median of another run of this length lies
};

/// Half a width over the median, in words: `2.0`, in %. Of the few visits of a wild point no number
/// says more than `over 999`.
std::string percent_within(double share);

/// One thing measured. Points of equal kind and parameters are the same point.
struct RecordPoint {
  std::string kind;             ///< a name of record_kinds()
  RecordParameters parameters;  ///< what was measured
  std::string started;          ///< UTC, `2026-11-21T09:30:00Z`
  int warm_up_calls = 0;
  int calls_per_sample = 1;  ///< back to back; a sample is their mean
  std::vector<int> visits;   ///< samples of each visit: the point was come back to that often
  bool is_complete = true;   ///< false: the job ended before the point was done
  /// Seconds per call by the host's clock, the slowest rank's, in the order taken.
  std::vector<double> host_samples;
  /// The same by the device's events; empty where nothing ran on a device.
  std::vector<double> device_samples;
  RecordSummary summary;           ///< of `samples()`
  RecordFigures figures;           ///< derived, the unit in the name: `bus_bandwidth_gb_s`
  RecordFigures device_state;      ///< clocks, power, temperature while it ran; may be empty
  std::vector<std::string> flags;  ///< what a reader must know: `bimodal: ...`

  /// What the point stands on: the device's clock where there is one.
  std::span<const double> samples() const {
    return device_samples.empty() ? host_samples : device_samples;
  }
};

/// One host and what ran on it.
struct RecordHost {
  std::string name;
  int ranks = 0;
  std::vector<std::string> devices;  ///< `NVIDIA H100 80GB HBM3, 00000000:19:00.0`; empty on CPUs
};

struct Record {
  RecordTexts provenance;   ///< `command`, `commit`, `started`, versions; file order
  RecordTexts environment;  ///< variables that steer MPI, NCCL, CUDA and threads
  std::vector<RecordHost> hosts;
  std::vector<RecordPoint> points;
};

/// Names in the provenance what stood in for a GPU: the figures are those of a test.
inline constexpr std::string_view stand_in_key = "gpu_stand_in";
bool is_of_stand_in(const Record&);

/// A kind of point and the parameters that it must have.
struct RecordKind {
  std::string_view name;
  std::span<const std::string_view> parameters;
};
std::span<const RecordKind> record_kinds();

/// The parameter, or nullptr.
const RecordValue* parameter(const RecordPoint&, std::string_view name);

/// The document, one line a point; what load_record (sim/config) reads back. Seconds are written as
/// microseconds with 7 digits, figures that are not finite not at all.
std::string to_json(const Record&);
/// Its parts, for a writer that keeps the text of finished points: to_json is
/// json_head + points joined by ",\n" + json_tail.
std::string json_head(const Record&);
std::string to_json(const RecordPoint&);
std::string_view json_tail();

}  // namespace tofn
