#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/answers/scale_subject.hpp"
#include "sim/config/library.hpp"
#include "sim/published/series.hpp"
#include "sim/scaling/fit_law.hpp"
#include "sim/scaling/knee.hpp"
#include "sim/scaling/scaled_point.hpp"
#include "sim/training/run.hpp"

namespace tofn {
inline namespace answers {

/// One way to grow a job, with the sizes on which it cannot run.
struct ScaleSeries {
  std::string name;  ///< soonest, strong, weak, given or published
  std::string rule;  ///< `batch 4608 at every N`
  std::vector<ScaledPoint> points;
  std::vector<std::pair<int, std::string>> refused;  ///< accelerators, reason
  bool is_answer_of_no = false;  ///< true if one of these was refused because no plan fits
};

/// Limits of one way to grow a job.
struct ScaleLimits {
  std::string series;
  std::optional<int> least_batch_size;  ///< accelerators with one sample a replica
  std::optional<int> critical_size;     ///< N_crit, in accelerators
  int searched_to = 0;                  ///< largest size searched for N_crit, in accelerators
  std::optional<double> crossover;      ///< T_comp(1)/t_comm; absent among sizes without N_crit
  int crossover_of = 0;                 ///< accelerators of the point whose communication it uses
};

/// Knees of an answer with one row left out.
struct KneesWithoutRow {
  std::string row;          ///< `organisation/system`
  std::vector<Knee> knees;  ///< in the order of the answer's knees
  double time_at_knee = 0;  ///< relative change of the time at the first knee
};

struct ScaleAnswer {
  std::string name;                 ///< `bert`
  std::string machine;              ///< `H100 SXM (dgx-h100)`; empty if not known
  std::string accelerator;          ///< `H100 SXM`; empty if not known
  std::vector<std::string> notes;   ///< models, data and methods behind the figures
  std::vector<ScalingPoint> times;  ///< times that knees and laws are fitted to, one a size
  std::string time_name;            ///< `time to train`, `time of a million samples`
  std::optional<ScaleSeries> main;  ///< series with its steps; absent if only times are known
  std::optional<ScaleSeries> strong;
  std::optional<ScaleSeries> weak;
  std::vector<ScaleLimits> limits;
  std::string memory;  ///< sentences on memory, one a line
  std::vector<LawFit> laws;
  std::vector<Knee> knees;
  std::vector<KneesWithoutRow> left_out;  ///< one for each row
  std::string left_out_note;              ///< what the left-out rows are
  bool is_of_money = false;               ///< true if the question states prices
};

/// True if the sizes are answered as if they had room, since the memory of none suffices.
bool fits_nowhere(const ScaleAnswer&);

/// Every knee of a series.
std::vector<Knee> all_knees(std::span<const ScalingPoint>, const KneeOptions&, std::uint64_t seed);

/// Answers for a job at every size: with the requested batch, else with the one that trains
/// soonest. Strong and weak scaling keep the batch, or the samples per replica, of the first knee.
/// InputError if the job can run on none of the sizes, or if a batch is needed.
ScaleAnswer scale_answer(const ScaleSubject&, const ScaleRequest&);

/// Answers for a run, as `tofn predict` predicts it.
ScaleAnswer scale_answer(const RunRequest&, const ScaleRequest&);

/// Answers from times alone.
ScaleAnswer scale_answer(std::vector<ScalingPoint> times, const ScaleRequest&);

/// Answers for a workload, and adds the knees with each observation left out of the fit in turn.
ScaleAnswer scale_answer(const RunRequest&, const ScaleRequest&, const std::vector<Observation>&);

/// Reported times of a workload on an accelerator, from one table.
struct PublishedTimes {
  std::filesystem::path table;
  const Workload& workload;
  std::string accelerator;  ///< `H100 SXM`, or `H100` for every one
};
/// Answers from the median time of each size, and adds the knees with each system left out in turn.
/// InputError if there are fewer than two sizes.
ScaleAnswer published_scale_answer(const PublishedTimes&, const Library&, const ScaleRequest&);

/// Knees of predictions fitted to all observations but one, each in turn. Leaves out sizes that
/// cannot be predicted then.
std::vector<KneesWithoutRow> knees_without_each(const std::vector<Observation>&,
                                                const OpenDescription&, const ScaleRequest&,
                                                const ScaleAnswer&);

/// Knees of the median times of all systems but one, each in turn.
std::vector<KneesWithoutRow> knees_without_each(const std::vector<NamedTime>&, const ScaleRequest&,
                                                const ScaleAnswer&);

}  // namespace answers
}  // namespace tofn
