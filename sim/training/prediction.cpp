#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sim/core/random.hpp"
#include "sim/training/run.hpp"

namespace tofn {
inline namespace training {
namespace {

constexpr int most_runs = 64;

/// Olympic mean of the samples of `runs` runs. Runs behind a reference mean ended at an evaluation,
/// on average half an interval after they reached the target. That half is subtracted before each
/// run is sampled and rounded up, so that the mean does not change.
double drawn_samples(const RunModel& model, double expected, Random& random) {
  const int runs = std::min(model.description().runs, most_runs);
  const double interval = std::max(model.evaluation_interval(), 1.0);
  const double deviation = model.parameters().samples.run_deviation;
  std::array<double, most_runs> ended{};
  for (int run = 0; run < runs; ++run) {
    const double reached = expected - interval / 2 + deviation * random.normal();
    ended[static_cast<std::size_t>(run)] = std::max(1.0, std::ceil(reached / interval)) * interval;
  }
  return olympic_mean(Values{ended.data(), static_cast<std::size_t>(runs)});
}

RunDraw draw_run(const RunModel& model, Random& random) {
  const RunParameters& p = model.parameters();
  RunDraw draw;
  draw.step = draw_step(model.step().spreads(), random);
  draw.evaluation = Distribution{p.evaluation_factor.spread}.draw(1, random.normal());
  draw.fixed = p.fixed.value + p.fixed.spread * random.normal();
  // Waiting cannot be negative, but steps that the clock missed can.
  if (!p.fixed_is_in_steps && p.fixed.value >= 0) draw.fixed = std::max(0.0, draw.fixed);
  draw.score_factor = 1;
  if (p.samples.expected == 0) return draw;
  const double relative = p.samples.expected_deviation / p.samples.expected;
  const double reference = Distribution{relative}.draw(p.samples.expected, random.normal());
  draw.samples = drawn_samples(model, reference, random);
  draw.score_factor = std::max(1.0, p.samples.expected / draw.samples);
  return draw;
}

}  // namespace

RunPrediction predict(const RunModel& model, int draws, std::uint64_t seed) {
  const auto count = static_cast<std::size_t>(draws);
  Random random(seed);
  std::vector<RunBreakdown> drawn;
  drawn.reserve(count);
  for (std::size_t i = 0; i < count; ++i) drawn.push_back(model.evaluate(draw_run(model, random)));

  std::vector<double> values(count);
  RunPrediction prediction;
  prediction.expected = model.expected();
  // Samples end at an evaluation and the expected value lies between two, so that the interval is
  // widened to include it.
  const auto interval_of = [&](const auto& term) {
    std::transform(drawn.begin(), drawn.end(), values.begin(), term);
    const Interval of_draws = ninety_percent_interval(values);
    const double expected = term(prediction.expected);
    return Interval{std::min(of_draws.low, expected), std::max(of_draws.high, expected)};
  };
  prediction.total_seconds = interval_of([](const auto& run) { return run.total().time.base(); });
  prediction.drawn_seconds = values;
  prediction.step_seconds = interval_of([](const auto& run) { return run.step.total.base(); });
  prediction.samples = interval_of([](const auto& run) { return run.samples; });
  prediction.training_seconds =
      interval_of([](const auto& run) { return run.training.time.base(); });
  prediction.evaluation_seconds =
      interval_of([](const auto& run) { return run.evaluation.time.base(); });
  prediction.fixed_seconds = interval_of([](const auto& run) { return run.fixed.time.base(); });
  for (std::size_t p = 0; p < step_parts.size(); ++p)
    prediction.step_part_seconds[p] =
        interval_of([&](const auto& run) { return run.step.parts[p].base(); });
  return prediction;
}

}  // namespace training
}  // namespace tofn
