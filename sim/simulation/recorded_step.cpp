#include "sim/simulation/recorded_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace simulation {
namespace {

std::string text_of(const RecordPoint& point, std::string_view name) {
  return std::get<std::string>(*parameter(point, name));
}

double number_of(const RecordPoint& point, std::string_view name) {
  return static_cast<double>(std::get<long long>(*parameter(point, name)));
}

/// Returns all parameters except those that describe where and how the same work ran.
RecordParameters problem_of(const RecordPoint& point) {
  RecordParameters problem = point.parameters;
  constexpr std::array<std::string_view, 5> scale{"backend", "library", "ranks", "nodes",
                                                  "overlap"};
  std::erase_if(problem, [&](const auto& each) {
    return std::ranges::find(scale, each.first) != scale.end();
  });
  return problem;
}

RecordedStep recorded_step(const RecordPoint& point) {
  const double median = point.summary.median;
  return {.workload = text_of(point, "workload"),
          .device = text_of(point, "device"),
          .ranks = static_cast<int>(number_of(point, "ranks")),
          .time = Seconds(median),
          .repeat = point.summary.repeat,
          .noise = robust_deviation(point.samples()) / median,
          .gradients = Bytes(number_of(point, "gradient_bytes")),
          .bucket = Bytes(number_of(point, "bucket_bytes")),
          .problem = problem_of(point)};
}

}  // namespace

std::vector<RecordedStep> recorded_steps(const Record& record, int ranks,
                                         std::string_view overlap) {
  std::vector<RecordedStep> steps;
  for (const RecordPoint& point : record.points)
    if (point.kind == "step" && point.is_complete && number_of(point, "ranks") == ranks &&
        text_of(point, "overlap") == overlap)
      steps.push_back(recorded_step(point));
  return steps;
}

/// Makes one layer for each bucket; the last one holds the rest.
StepWork step_work(const RecordedStep& alone, int ranks, const CostCurve& reduce,
                   Seconds CurveAnswer::*taken) {
  const double buckets = std::ceil(alone.gradients / alone.bucket);
  const double layers = std::max(buckets, 1.0);
  ChunkTimes chunk;
  for (double i = 0; i < layers; ++i) {
    const Bytes size = std::min(alone.bucket, alone.gradients - i * alone.bucket);
    LayerTimes layer;
    layer.name = "bucket";
    layer.backward.compute = alone.time / layers;
    if (ranks > 1 && size > Bytes{}) layer.backward.reduce = reduce.at(size).*taken;
    chunk.own_layers().push_back(layer);
  }
  StepWork work;
  work.stages = {{chunk}};
  work.data_overlap = false;
  work.after = {Seconds{}};
  work.optimizer = {Seconds{}};
  work.rank_noise = alone.noise;
  work.replicas = ranks;
  return work;
}

ScaledStep scale_step(const RecordedStep& alone, int ranks, const CostCurve& reduce) {
  ScaledStep scaled{.times = simulate(step_work(alone, ranks, reduce)), .seconds = {}};
  const double centre = scaled.times.total.base();
  const auto seconds = [](const StepWork& work) { return simulate(work).total.base(); };
  // Factor from the record's 95 % interval of the median to a 90 % one.
  const double narrower = normal_quantile(0.95) / normal_quantile(0.975);
  const auto alone_at = [&](double end) {
    RecordedStep other = alone;
    other.time = alone.time * std::pow(end / alone.time.base(), narrower);
    return seconds(step_work(other, ranks, reduce)) - centre;
  };
  const auto reduced_at = [&](Seconds CurveAnswer::*end) {
    return seconds(step_work(alone, ranks, reduce, end)) - centre;
  };
  scaled.seconds = {
      centre - std::hypot(alone_at(alone.repeat.low), reduced_at(&CurveAnswer::low)),
      centre + std::hypot(alone_at(alone.repeat.high), reduced_at(&CurveAnswer::high))};
  return scaled;
}

}  // namespace simulation
}  // namespace tofn
