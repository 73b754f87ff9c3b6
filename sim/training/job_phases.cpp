#include <algorithm>

#include "sim/training/job.hpp"

namespace tofn {
inline namespace training {

std::vector<Job> by_phase(const Job& job) {
  std::vector<Job> parts;
  for (const JobPhase& phase : job.phases) {
    if (parts.empty() || parts.back().phases.back().part_of != phase.part_of) {
      Job& part = parts.emplace_back(job);
      part.phases.clear();
      if (parts.size() > 1) part.start_up = Seconds{};
    }
    parts.back().phases.push_back(phase);
  }
  return parts;
}

const JobPhase& fullest_phase(const Job& job) {
  const auto held = [](const JobPhase& phase) {
    return phase.step.memory[phase.step.tightest()].total();
  };
  return *std::max_element(job.phases.begin(), job.phases.end(),
                           [&](const JobPhase& a, const JobPhase& b) { return held(a) < held(b); });
}

const Footprint& fullest_stage(const Job& job) {
  const SimulatedStep& step = fullest_phase(job).step;
  return step.memory[step.tightest()];
}

const JobPhase& main_phase(const Job& job) {
  const auto time = [](const JobPhase& phase) {
    return phase.samples / phase.step.samples_per_second();
  };
  return *std::max_element(job.phases.begin(), job.phases.end(),
                           [&](const JobPhase& a, const JobPhase& b) { return time(a) < time(b); });
}

StepTimes mean_step(const Job& job) {
  StepTimes mean = job.phases.front().step.times;
  mean.total = mean.communication = Seconds{};
  mean.parts = {};
  double all = 0;
  for (const JobPhase& phase : job.phases) all += phase.samples / phase.step.plan.global_batch();
  for (const JobPhase& phase : job.phases) {
    const double share = phase.samples / phase.step.plan.global_batch() / all;
    const StepTimes& times = phase.step.times;
    mean.total += share * times.total;
    mean.communication += share * times.communication;
    for (std::size_t i = 0; i < mean.parts.size(); ++i) {
      mean.parts[i] += share * times.parts[i];
      mean.bases[i] = std::max(mean.bases[i], times.bases[i]);
    }
  }
  return mean;
}

}  // namespace training
}  // namespace tofn
