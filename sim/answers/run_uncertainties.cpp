#include <algorithm>
#include <cmath>

#include "sim/answers/uncertain_parts.hpp"
#include "sim/simulation/step_uncertainty.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// Uncertainties of a workload's run.
class OfRun {
 public:
  explicit OfRun(const RunModel& model) : model_(model) {
    const RunParameters& p = model.parameters();
    centre_.fixed = p.fixed.value;
    centre_.samples = p.samples.expected;
    expected_ = seconds(centre_);
  }

  std::vector<UncertainPart> parts() const;

 private:
  double seconds(const RunDraw& draw) const {
    return draw.samples > 0 ? model_.evaluate(draw).total().time.base()
                            : model_.step().times(draw.step).total.base();
  }
  /// Adds a part; `move` applies so many deviations to a draw.
  template <class Move>
  void add(std::vector<UncertainPart>& parts, std::string_view name, Settling by,
           const Move& move) const {
    const auto end = [&](double deviations) {
      RunDraw draw = centre_;
      move(draw, deviations);
      return std::log(seconds(draw) / expected_);
    };
    const Interval logarithm{end(-ninety_percent_deviations), end(ninety_percent_deviations)};
    if (const double variance = variance_of(logarithm); variance > 0)
      parts.push_back({std::string(name), logarithm, variance, by});
  }

  const RunModel& model_;
  RunDraw centre_;
  double expected_ = 0;
};

std::vector<UncertainPart> OfRun::parts() const {
  std::vector<UncertainPart> parts;
  const RunParameters& p = model_.parameters();
  const StepSpreads spreads = model_.step().spreads();
  for (const StepUncertainty& uncertainty : step_uncertainties)
    add(parts, uncertainty.name,
        uncertainty.is_of_links ? Settling::Collectives : Settling::NodeSteps,
        [&](RunDraw& draw, double z) {
          draw.step.*uncertainty.factor = Distribution{spreads.*uncertainty.spread}.draw(1, z);
        });
  if (centre_.samples == 0) return parts;
  add(parts, "evaluations", Settling::Evaluations, [&](RunDraw& draw, double z) {
    draw.evaluation = Distribution{p.evaluation_factor.spread}.draw(1, z);
  });
  add(parts, "fixed time", Settling::Evaluations, [&](RunDraw& draw, double z) {
    draw.fixed = p.fixed.value + z * p.fixed.spread;
    if (!p.fixed_is_in_steps && p.fixed.value >= 0) draw.fixed = std::max(0.0, draw.fixed);
  });
  const auto samples = [&](double deviation) {
    return [=](RunDraw& draw, double z) {
      draw.samples = Distribution{deviation / p.samples.expected}.draw(p.samples.expected, z);
    };
  };
  add(parts, "samples to the target", Settling::Runs, samples(p.samples.expected_deviation));
  const double scored = std::max(1, model_.description().runs - 2);
  add(parts, "luck of the runs", Settling::Runs,
      samples(p.samples.run_deviation / std::sqrt(scored)));
  return parts;
}

/// Accelerator-hours of the measurements for a run: steps on one node, collectives on two, and
/// whole runs.
HoursTaken hours_taken(const RunModel& model) {
  const RunDescription& run = model.description();
  const double node = run.cluster->accelerators_per_node.value;
  const double whole =
      run.plan.accelerators() * model.expected().total().time.base() / seconds_per_hour;
  HoursTaken hours;
  hours.fill(-1);
  const auto set = [&](Settling by, double taken) { hours[static_cast<std::size_t>(by)] = taken; };
  set(Settling::NodeSteps, node * time_of_collectives.base() / seconds_per_hour);
  set(Settling::Collectives, 2 * node * time_of_collectives.base() / seconds_per_hour);
  set(Settling::Evaluations, whole);
  set(Settling::Runs, run.runs * whole);
  set(Settling::Quotes, 0);
  return hours;
}

}  // namespace

TimeUncertainties run_uncertainties(const RunModel& model, double price_deviation) {
  std::vector<UncertainPart> parts = OfRun(model).parts();
  add_price(parts, price_deviation);
  return collected(std::move(parts), hours_taken(model));
}

TimeUncertainties uncertainties_of(const RunQuestion& asked, const RunEstimate& run,
                                   double price_deviation) {
  return asked.job != nullptr ? job_uncertainties(run, asked.job->profile, price_deviation)
                              : run_uncertainties(run.benchmark->model, price_deviation);
}

}  // namespace answers
}  // namespace tofn
