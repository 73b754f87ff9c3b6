#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sim/core/statistics.hpp"

namespace tofn {

/// Schema of the files that tofn-bench writes and tofn reads (microbench/README.md).
inline constexpr int record_schema = 1;

using RecordValue = std::variant<bool, long long, double, std::string>;
using RecordParameters = std::vector<std::pair<std::string, RecordValue>>;
using RecordTexts = std::vector<std::pair<std::string, std::string>>;
using RecordFigures = std::vector<std::pair<std::string, double>>;

/// Summary of a point's samples: seconds per call.
struct RecordSummary {
  double median = 0;
  Interval interval;  ///< 95 % interval for the median of a much longer run of the same kind
  Interval repeat;    ///< 95 % interval for the median of another run of this length
};

/// Half a width over the median, in % as text: `2.0`. A large share is `over 999`, because the few
/// visits of a very variable point justify no number.
std::string percent_within(double share);

/// One measurement. Points of equal kind and parameters are the same point.
struct RecordPoint {
  std::string kind;             ///< a name of record_kinds()
  RecordParameters parameters;  ///< of the measurement
  std::string started;          ///< UTC, `2026-11-21T09:30:00Z`
  int warm_up_calls = 0;
  int calls_per_sample = 1;  ///< back to back; a sample is the mean of these calls
  std::vector<int> visits;   ///< samples of each visit to the point
  bool is_complete = true;   ///< false if the job ended before the point was done
  /// Seconds per call by the host's clock, of the slowest rank, in the order measured.
  std::vector<double> host_samples;
  /// Seconds per call by the device's events; empty if nothing ran on a device.
  std::vector<double> device_samples;
  RecordSummary summary;           ///< of `samples()`
  RecordFigures figures;           ///< derived, the unit in the name: `bus_bandwidth_gb_s`
  RecordFigures device_state;      ///< clocks, power and temperature meanwhile; may be empty
  std::vector<std::string> flags;  ///< warnings for readers: `bimodal: ...`

  /// Samples that count: those of the device's clock if there are any.
  std::span<const double> samples() const {
    return device_samples.empty() ? host_samples : device_samples;
  }
};

/// One host with its ranks and devices.
struct RecordHost {
  std::string name;
  int ranks = 0;
  std::vector<std::string> devices;  ///< `NVIDIA H100 80GB HBM3, 00000000:19:00.0`; empty on CPUs
};

struct Record {
  RecordTexts provenance;   ///< `command`, `commit`, `started`, versions; file order
  RecordTexts environment;  ///< variables that control MPI, NCCL, CUDA and threads
  std::vector<RecordHost> hosts;
  std::vector<RecordPoint> points;
};

/// Key in the provenance that names a stand-in for a GPU; figures of such a record come from a
/// test.
inline constexpr std::string_view stand_in_key = "gpu_stand_in";
bool is_of_stand_in(const Record&);

/// A kind of point and its required parameters.
struct RecordKind {
  std::string_view name;
  std::span<const std::string_view> parameters;
};
std::span<const RecordKind> record_kinds();

/// Value of a parameter; nullptr if there is none.
const RecordValue* parameter(const RecordPoint&, std::string_view name);

/// JSON document with one line per point, which load_record (sim/config) reads back. Seconds are
/// written as microseconds with 7 digits; figures that are not finite are left out.
std::string to_json(const Record&);
/// Parts of the document, for a writer that keeps the text of finished points: to_json is json_head
/// + points joined by ",\n" + json_tail.
std::string json_head(const Record&);
std::string to_json(const RecordPoint&);
std::string_view json_tail();

}  // namespace tofn
