#include "sim/scaling/accelerator_time.hpp"

#include <algorithm>
#include <array>

namespace tofn {
inline namespace scaling {
namespace {

struct StepSpending {
  std::string_view name;
  Seconds (*time)(const StepTimes&);
};
constexpr std::array of_a_step{
    StepSpending{"arithmetic of a sample",
                 [](const StepTimes& s) { return part(s.parts, StepPart::Compute); }},
    StepSpending{"fixed cost of a pass spread over fewer samples",
                 [](const StepTimes& s) { return part(s.parts, StepPart::Launch); }},
    StepSpending{"exposed communication", [](const StepTimes& s) { return s.exposed().time; }},
    StepSpending{"waiting for other ranks", [](const StepTimes& s) { return s.waiting(); }},
    StepSpending{"the optimizer",
                 [](const StepTimes& s) { return part(s.parts, StepPart::Optimizer); }}};

struct RunSpending {
  std::string_view name;
  Seconds RunAccount::*time;
};
constexpr std::array of_a_run{RunSpending{"evaluation", &RunAccount::evaluation},
                              RunSpending{"start-up and other fixed time", &RunAccount::fixed},
                              RunSpending{"the benchmark's score rule", &RunAccount::score},
                              RunSpending{"failures, restarts and checkpoints", &RunAccount::lost}};

}  // namespace

double growth_of_accelerator_time(const ScaledPoint& from, const ScaledPoint& to) {
  return to.time() * to.accelerators / (from.time() * from.accelerators) - 1;
}

std::vector<GrowthCause> causes_of_growth(const ScaledPoint& from, const ScaledPoint& to) {
  const Seconds growth = to.time() * to.accelerators - from.time() * from.accelerators;
  if (growth <= Seconds{}) return {};
  const auto per_sample = [](const ScaledPoint& point, Seconds time) {
    return time / point.batch * point.accelerators;
  };
  std::vector<GrowthCause> causes;
  causes.push_back({"more samples to the target",
                    (to.samples() - from.samples()) * per_sample(from, from.step.total) / growth});
  for (const StepSpending& spending : of_a_step)
    causes.push_back({spending.name, to.samples() *
                                         (per_sample(to, spending.time(to.step)) -
                                          per_sample(from, spending.time(from.step))) /
                                         growth});
  if (from.run && to.run)
    for (const RunSpending& part : of_a_run)
      causes.push_back({part.name, ((*to.run).*part.time * to.accelerators -
                                    (*from.run).*part.time * from.accelerators) /
                                       growth});
  std::ranges::stable_sort(causes, std::greater{}, &GrowthCause::share);
  return causes;
}

}  // namespace scaling
}  // namespace tofn
