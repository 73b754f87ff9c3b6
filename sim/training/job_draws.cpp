#include "sim/training/job_draws.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "sim/core/random.hpp"
#include "sim/expense/goodput.hpp"

namespace tofn {
inline namespace training {
namespace {

constexpr std::uint64_t shared_seed = 1;
constexpr std::uint64_t overrun_seed = 2;
constexpr std::uint64_t site_seed = 3;

/// FNV-1a hash of the cluster's name, which is equal on every machine.
std::uint64_t seed_of(const std::string& cluster) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : cluster) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

/// Standard normal numbers for all uncertain inputs, even those that a run does not have, so that
/// the i-th sample of one run uses the same numbers as that of any other. Every second sample
/// mirrors the one before, so that medians stay in the middle.
class Deviations {
 public:
  explicit Deviations(const std::string& cluster)
      : of_software_(shared_seed),
        of_links_(seed_of(cluster)),
        of_site_(seed_of(cluster) ^ site_seed) {}

  void draw() {
    if (mirrors_) return mirror();
    mirrors_ = true;
    for (std::size_t i = 0; i < step_uncertainties.size(); ++i) {
      const double software = of_software_.normal();
      const double links = of_links_.normal();
      steps_[i] = step_uncertainties[i].is_of_links ? links : software;
    }
    power = of_site_.normal();
    for (double& each : interruptions) each = of_site_.normal();
  }
  double of(const StepUncertainty& uncertainty) const {
    return steps_[static_cast<std::size_t>(&uncertainty - step_uncertainties.data())];
  }

  double power = 0;
  InterruptionDeviations interruptions{};

 private:
  void mirror() {
    mirrors_ = false;
    for (double& each : steps_) each = -each;
    for (double& each : interruptions) each = -each;
    power = -power;
  }

  Random of_software_;
  Random of_links_;
  Random of_site_;
  std::array<double, step_uncertainties.size()> steps_{};
  bool mirrors_ = false;
};

/// Stands for an infinite time, of a run that fails more often than it advances.
constexpr double most_seconds = 1e30;

/// Adds one sample of a stretch: steps and evaluations vary with the inputs of the step, and
/// interruptions lengthen all of it.
void add_stretch(const JobStretch& stretch, const Deviations& deviations,
                 const ExpenseOptions& stated, JobDraw& draw, double& training) {
  double expected = 0;
  double drawn = 0;
  for (const DrawnSteps& steps : stretch.steps) {
    const StepPerturbation by = perturbation(
        steps.responses->spreads(), [&](const StepUncertainty& d) { return deviations.of(d); });
    expected += steps.seconds;
    drawn += steps.seconds * steps.responses->factor(by);
  }
  const double undisturbed =
      drawn + stretch.evaluation_seconds * drawn / expected + stretch.fixed_seconds;
  const Interruptions by =
      drawn_interruptions(stretch.interruptions, stated, deviations.interruptions);
  const double seconds = std::min(
      most_seconds, interrupted(Seconds{undisturbed}, by, stated.checkpoint_every).expected.base());
  draw.time += seconds;
  draw.lost_seconds += seconds - undisturbed;
  training += drawn;
}

}  // namespace

std::vector<JobDraw> drawn_jobs(const std::vector<JobStretch>& stretches, double expected_seconds,
                                const Cluster& cluster, const ExpenseOptions& stated) {
  const Distribution power{default_power_uncertainty / ninety_percent_deviations};
  Deviations deviations(cluster.name);
  std::vector<JobDraw> draws;
  draws.reserve(job_draws);
  for (int i = 0; i < job_draws; ++i) {
    deviations.draw();
    JobDraw draw{.time = 0};
    double training = 0;
    for (const JobStretch& stretch : stretches)
      add_stretch(stretch, deviations, stated, draw, training);
    draw.goodput = training / draw.time;
    draw.time /= expected_seconds;
    draw.energy = draw.time * power.draw(1, deviations.power);
    draws.push_back(draw);
  }
  return draws;
}

std::vector<JobDraw> with_overrun(std::vector<JobDraw> draws, const Overrun& overrun,
                                  double fastest) {
  const Distribution of_steps{std::log(overrun.steps_spread) / ninety_percent_deviations};
  Random random(overrun_seed);
  double steps = 0;
  double excess = 0;
  for (std::size_t i = 0; i < draws.size(); ++i) {
    steps = i % 2 == 0 ? random.normal() : -steps;
    excess = i % 2 == 0 ? random.uniform() : 1 - excess;
    double& time = draws[i].time;
    const double drawn = of_steps.draw(overrun.steps, steps) * std::pow(excess, -overrun.excess);
    const double longer = overrun.steps_spread > 1 ? std::max(drawn, fastest / time) : drawn;
    time *= longer;
    draws[i].energy *= longer;
  }
  return draws;
}

DrawnSpread spread_of(const std::vector<JobDraw>& draws, double JobDraw::*value) {
  std::vector<double> values;
  values.reserve(draws.size());
  for (const JobDraw& draw : draws) values.push_back(draw.*value);
  return {.median = median(values), .interval = ninety_percent_interval(values)};
}

Interval open_where_endless(Interval interval, double expected) {
  if (expected != 0 && std::abs(interval.high) >= endless * std::abs(expected))
    interval.high = std::numeric_limits<double>::infinity();
  return interval;
}

std::optional<double> upper_end(const Interval& interval) {
  return std::isfinite(interval.high) ? std::optional(interval.high) : std::nullopt;
}

}  // namespace training
}  // namespace tofn
