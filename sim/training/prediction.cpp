#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sim/core/common_draws.hpp"
#include "sim/simulation/step_uncertainty.hpp"
#include "sim/training/run.hpp"

namespace tofn {
inline namespace training {
namespace {

constexpr int most_runs = 64;

/// Olympic mean of the samples of `runs` runs. Runs behind a reference mean ended at an evaluation,
/// on average half an interval after they reached the target. That half is subtracted before each
/// run is sampled and rounded up, so that the mean does not change.
double drawn_samples(const RunModel& model, double expected, CommonDraws& draws) {
  const int runs = std::min(model.description().runs, most_runs);
  const double interval = std::max(model.evaluation_interval(), 1.0);
  const double deviation = model.parameters().samples.run_deviation;
  std::array<double, most_runs> ended{};
  for (int run = 0; run < runs; ++run) {
    const double reached = expected - interval / 2 + deviation * draws.normal();
    ended[static_cast<std::size_t>(run)] = std::max(1.0, std::ceil(reached / interval)) * interval;
  }
  return olympic_mean(Values{ended.data(), static_cast<std::size_t>(runs)});
}

RunDraw draw_run(const RunModel& model, const StepDraws& step_draws, CommonDraws& draws) {
  const RunParameters& p = model.parameters();
  RunDraw draw;
  draw.step = step_draws.factors(model.step().spreads());
  draw.evaluation = Distribution{p.evaluation_factor.spread}.draw(1, draws.normal());
  draw.fixed = p.fixed.value + p.fixed.spread * draws.normal();
  // Waiting cannot be negative, but steps that the clock missed can.
  if (!p.fixed_is_in_steps && p.fixed.value >= 0) draw.fixed = std::max(0.0, draw.fixed);
  draw.score_factor = 1;
  if (p.samples.expected == 0) return draw;
  const double relative = p.samples.expected_deviation / p.samples.expected;
  const double reference = Distribution{relative}.draw(p.samples.expected, draws.normal());
  draw.samples = drawn_samples(model, reference, draws);
  draw.score_factor = std::max(1.0, p.samples.expected / draw.samples);
  return draw;
}

double over(double value, double expected) { return expected == 0 ? 1 : value / expected; }

RunSample sample_of(const RunBreakdown& drawn, const RunBreakdown& expected) {
  RunSample sample{.step = drawn.step.total / expected.step.total,
                   .start_up_seconds = drawn.fixed.time.base()};
  if (expected.samples == 0) {  // no target: the figures are those of one step
    sample.time = sample.training = sample.step;
    return sample;
  }
  sample.time = drawn.total().time / expected.total().time;
  sample.training = over(drawn.training.time.base(), expected.training.time.base());
  sample.evaluation = over(drawn.evaluation.time.base(), expected.evaluation.time.base());
  sample.evaluation_each =
      over(drawn.evaluation_each.time.base(), expected.evaluation_each.time.base());
  sample.samples = over(drawn.samples, expected.samples);
  return sample;
}

}  // namespace

RunPrediction predict(const RunModel& model, std::uint64_t seed) {
  RunPrediction prediction;
  prediction.seed = seed;
  prediction.expected = model.expected();
  StepDraws step_draws(model.description().cluster->name, seed);
  CommonDraws draws(DrawStream::Benchmark, seed);
  std::vector<RunBreakdown> drawn;
  drawn.reserve(sample_count);
  prediction.drawn.reserve(sample_count);
  for (std::size_t i = 0; i < sample_count; ++i) {
    step_draws.next();
    draws.next();
    drawn.push_back(model.evaluate(draw_run(model, step_draws, draws)));
    prediction.drawn.push_back(sample_of(drawn.back(), prediction.expected));
  }
  std::vector<double> values(sample_count);
  const auto interval_of = [&](const auto& term) {
    std::transform(drawn.begin(), drawn.end(), values.begin(), term);
    return sampled_interval(values, term(prediction.expected));
  };
  prediction.total_seconds = interval_of([](const auto& run) { return run.total().time.base(); });
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
