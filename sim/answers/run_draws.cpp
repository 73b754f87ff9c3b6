#include "sim/answers/run_draws.hpp"

#include <array>
#include <cmath>
#include <string>

#include "sim/core/random.hpp"

namespace tofn {
inline namespace answers {
namespace {

constexpr std::uint64_t shared_seed = 1;
constexpr std::uint64_t excess_seed = 2;

/// FNV-1a: the same on every machine.
std::uint64_t seed_of(const std::string& cluster) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : cluster) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

/// Standard normals of all doubts, whether a step has them or not: the i-th draw of one run is that
/// of all others.
class Deviations {
 public:
  explicit Deviations(const std::string& cluster)
      : of_software_(shared_seed), of_links_(seed_of(cluster)) {}

  void draw() {
    for (std::size_t i = 0; i < step_doubts.size(); ++i) {
      const double software = of_software_.normal();
      const double links = of_links_.normal();
      drawn_[i] = step_doubts[i].is_of_links ? links : software;
    }
  }
  double of(const StepDoubt& doubt) const {
    return drawn_[static_cast<std::size_t>(&doubt - step_doubts.data())];
  }

 private:
  Random of_software_;
  Random of_links_;
  std::array<double, step_doubts.size()> drawn_{};
};

}  // namespace

std::vector<double> drawn_time_factors(const JobEstimate& estimate) {
  const JobFigures& f = estimate.expected;
  // Interruptions lengthen all of it; evaluation is made of the steps' passes.
  const double fixed = f.start_up_seconds + f.input_seconds;
  const double moving = f.training_seconds + f.evaluation_seconds;
  Deviations deviations(estimate.job.phases.front().step.cluster.name);
  std::vector<double> factors;
  factors.reserve(run_draws);
  for (int i = 0; i < run_draws; ++i) {
    deviations.draw();
    double training = 0;
    for (const JobPhase& phase : estimate.job.phases) {
      const StepResponses& responses = phase.step.responses;
      const StepPerturbation by =
          perturbation(responses.spreads(), [&](const StepDoubt& d) { return deviations.of(d); });
      training += phase.samples / phase.step.samples_per_second() * responses.factor(by);
    }
    factors.push_back((moving * training / f.training_seconds + fixed) / (moving + fixed));
  }
  return factors;
}

std::vector<double> with_excess(std::vector<double> time_factors, const UsualHours& excess) {
  const Distribution drawn{std::log(excess.spread) / ninety_percent_deviations};
  Random random(excess_seed);
  for (double& factor : time_factors) factor *= drawn.draw(excess.factor, random.normal());
  return time_factors;
}

}  // namespace answers
}  // namespace tofn
