#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/answers/scale_subject.hpp"
#include "sim/calibration/choose_run.hpp"
#include "sim/config/library.hpp"
#include "sim/published/series.hpp"
#include "sim/scaling/fit_law.hpp"
#include "sim/scaling/knee.hpp"
#include "sim/scaling/scaled_point.hpp"
#include "sim/training/observation.hpp"

namespace tofn {
inline namespace answers {

struct ScaleRequest {
  std::vector<int> sizes;  ///< accelerators, ascending
  std::optional<double> batch;
  std::optional<double> replica_batch;  ///< samples per replica and step
  KneeOptions knees;
  std::uint64_t seed = 1;  ///< of K-means
};

/// One way to grow a job, with the sizes on which it cannot run.
struct ScaleSeries {
  std::string name;  ///< soonest, strong, weak, given or published
  std::string rule;  ///< `batch 4608 at every N`
  std::vector<ScaledPoint> points;
  std::vector<std::pair<int, std::string>> refused;  ///< accelerators, reason
};

/// Where a way to grow a job ends.
struct ScaleLimits {
  std::string series;
  std::optional<int> least_batch_size;  ///< accelerators with one sample a replica
  std::optional<int> critical_size;     ///< N_crit
  int searched_to = 0;                  ///< accelerators, for N_crit
  std::optional<double> crossover;      ///< T_comp(1)/t_comm
  int crossover_of = 0;                 ///< accelerators whose communication it takes
};

/// What comes out without one row.
struct KneesWithoutRow {
  std::string row;          ///< `organisation/system`
  std::vector<Knee> knees;  ///< in the order of the answer's
  double time_at_knee = 0;  ///< relative change of the time at the first knee
};

struct ScaleAnswer {
  std::string name;                 ///< `bert`
  std::string machine;              ///< `H100 SXM (dgx-h100)`; empty where not known
  std::string accelerator;          ///< `H100 SXM`; likewise
  std::vector<std::string> notes;   ///< what the figures rest on
  std::vector<ScalingPoint> times;  ///< what knees and laws see: one point a size
  std::string time_name;            ///< `time to train`, `time of a million samples`
  std::optional<ScaleSeries> main;  ///< that series with its steps; absent: only times are known
  std::optional<ScaleSeries> strong;
  std::optional<ScaleSeries> weak;
  std::vector<ScaleLimits> limits;
  std::string memory;  ///< sentences on memory, one a line
  std::vector<LawFit> laws;
  std::vector<Knee> knees;
  std::vector<KneesWithoutRow> left_out;  ///< each row left out in turn
  std::string left_out_note;              ///< what leaving one out means
};

/// Every knee of a series.
std::vector<Knee> all_knees(std::span<const ScalingPoint>, const KneeOptions&, std::uint64_t seed);

/// The job at every size: at the batch asked for, else at the one that trains soonest; beside it
/// with the batch or the samples a replica of its first knee held (strong and weak scaling).
/// InputError where it can run on none of the sizes, or where a batch is needed.
ScaleAnswer scale_answer(const ScaleSubject&, const ScaleRequest&);

/// That of a workload whose runs are predicted.
ScaleAnswer scale_answer(const RunRequest&, const ScaleRequest&, const Calibration&);

/// The same of times alone.
ScaleAnswer scale_answer(std::vector<ScalingPoint> times, const ScaleRequest&);

/// The same of a workload, with what comes out without each of the observations that teach it.
ScaleAnswer predicted_scale_answer(const RunRequest&, const ScaleRequest&, const Calibration&,
                                   const std::vector<Observation>&);

/// Times that a table reports of a workload on an accelerator.
struct PublishedTimes {
  std::filesystem::path table;
  const Workload& workload;
  std::string accelerator;  ///< `H100 SXM`, or `H100` for every one
};
/// Of the median time of each size, with what comes out without each of the systems. InputError
/// where there are less than two sizes.
ScaleAnswer published_scale_answer(const PublishedTimes&, const Library&, const ScaleRequest&);

/// Knees of predictions that learn from all observations but one, each in turn. Sizes that cannot
/// be predicted then are left out.
std::vector<KneesWithoutRow> knees_without_each(const std::vector<Observation>&, const RunRequest&,
                                                const ScaleRequest&, const ScaleAnswer&);

/// Knees of the median times of all systems but one, each in turn.
std::vector<KneesWithoutRow> knees_without_each(const std::vector<NamedTime>&, const ScaleRequest&,
                                                const ScaleAnswer&);

}  // namespace answers
}  // namespace tofn
