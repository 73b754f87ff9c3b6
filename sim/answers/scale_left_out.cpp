#include <algorithm>
#include <iterator>

#include "sim/answers/scale_answer.hpp"
#include "sim/core/error.hpp"

namespace tofn {
inline namespace answers {
namespace {

double minutes_at(const std::vector<ScalingPoint>& times, int accelerators) {
  for (const ScalingPoint& point : times)
    if (point.accelerators == accelerators) return point.minutes;
  return 0;
}

KneesWithoutRow left_out(std::string row, const std::vector<ScalingPoint>& times,
                         const ScaleRequest& request, const ScaleAnswer& answer) {
  KneesWithoutRow without{.row = std::move(row), .knees = {}, .time_at_knee = 0};
  if (times.empty()) {
    without.knees = answer.knees;
    for (Knee& knee : without.knees) knee.accelerators.reset();
    return without;
  }
  without.knees = all_knees(times, request.knees, request.seed);
  const int knee = *answer.knees.front().accelerators;
  const double before = minutes_at(answer.times, knee);
  const double after = minutes_at(times, knee);
  if (after > 0) without.time_at_knee = after / before - 1;
  return without;
}

/// Times at the requested batch or samples per replica, else at the batch that trains soonest.
std::vector<ScalingPoint> predicted_times(const OpenDescription& run, const ScaleRequest& request,
                                          const Calibration& calibration) {
  std::vector<ScalingPoint> times;
  for (const int size : request.sizes) try {
      const RunDescription chosen = choose_run(run, size, calibration);
      const Run trained = benchmark_run(chosen, calibration);
      const Seconds total = trained.expected().total().time;
      const Seconds time = trained.has_target()
                               ? total
                               : samples_without_target * (total / chosen.plan.global_batch());
      times.push_back({.accelerators = size, .minutes = time.base() / 60});
    } catch (const InputError&) {
      continue;  // the answer fitted to all rows says why this size cannot be predicted
    }
  return times;
}

/// True if the calibration of a workload depends on the observation. Simulated steps learn from
/// those of their own workload alone, which no other workload learns from.
bool teaches(const Observation& observation, const Workload& workload) {
  const Workload& observed = *observation.run.workload;
  return workload.simulated ? &observed == &workload : !observed.simulated;
}

}  // namespace

std::vector<KneesWithoutRow> knees_without_each(const std::vector<Observation>& seen,
                                                const OpenDescription& run,
                                                const ScaleRequest& request,
                                                const ScaleAnswer& answer) {
  OpenDescription requested = run;
  requested.global_batch = request.batch;
  if (request.replica_batch) requested.replica_batch = static_cast<int>(*request.replica_batch);
  std::vector<Observation> teaching;
  std::ranges::copy_if(seen, std::back_inserter(teaching),
                       [&](const Observation& each) { return teaches(each, *run.workload); });
  const auto times = predicted_times(requested, request, Calibration(teaching));
  std::vector<KneesWithoutRow> without;
  std::size_t next = 0;
  for (const Observation& row : seen) {
    const std::string name = row.run.workload->name + ' ' + row.origin;
    if (!teaches(row, *run.workload)) {
      without.push_back(left_out(name, times, request, answer));
      continue;
    }
    std::vector<Observation> others = teaching;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(next++));
    without.push_back(
        left_out(name, predicted_times(requested, request, Calibration(others)), request, answer));
  }
  return without;
}

std::vector<KneesWithoutRow> knees_without_each(const std::vector<NamedTime>& systems,
                                                const ScaleRequest& request,
                                                const ScaleAnswer& answer) {
  std::vector<KneesWithoutRow> without;
  for (std::size_t i = 0; i < systems.size(); ++i) {
    std::vector<NamedTime> others = systems;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    without.push_back(left_out(systems[i].name, medians_by_size(others), request, answer));
  }
  return without;
}

}  // namespace answers
}  // namespace tofn
