#include "sim/answers/scale_answer.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "sim/answers/run_point.hpp"
#include "sim/answers/scale_subject.hpp"
#include "sim/core/answer_of_no.hpp"
#include "sim/evidence/shipped.hpp"
#include "sim/study/k_means.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// Largest size that is searched, because weak scaling has no end of its own.
constexpr int largest_searched = 16'384;

std::string missing_memory(const ScaledPoint& point) {
  const Bytes held = point.estimate->memory->total();
  return missing_memory(held, (1 / *point.memory) * held);
}

/// Moves sizes that do not fit into the refused ones, because they are no base for a speedup. If
/// none fits, all stay as if they did.
void refuse_unfit(ScaleSeries& series) {
  const auto fits = [](const ScaledPoint& point) { return point.fits(); };
  if (std::ranges::none_of(series.points, fits)) return;
  for (const ScaledPoint& point : series.points)
    if (!point.fits()) series.refused.emplace_back(point.accelerators, missing_memory(point));
  std::ranges::sort(series.refused);
  std::erase_if(series.points, std::not_fn(fits));
}

[[noreturn]] void refuse(const ScaleSeries& series) {
  const auto& [size, why] = series.refused.front();
  const std::string size_text = fmt::format("N = {}", size);
  const std::string text = refusal_of_all(why, series.refused.size());
  if (series.is_answer_of_no) throw AnswerOfNo({}, size_text, text);
  throw InputError({}, size_text, text);
}

template <class PointAt>
ScaleSeries series_of(std::string name, std::string rule, const std::vector<int>& sizes,
                      const PointAt& point_at) {
  ScaleSeries series{.name = std::move(name), .rule = std::move(rule), .points = {}, .refused = {}};
  for (const int size : sizes) try {
      series.points.push_back(point_at(size));
    } catch (const InputError& error) {
      series.refused.emplace_back(size, error.what());
      series.is_answer_of_no = series.is_answer_of_no || exit_code_of(error) == 1;
    }
  refuse_unfit(series);
  return series;
}

ScaleSeries strong_series(const ScaleSubject& subject, const std::vector<int>& sizes,
                          double batch) {
  return series_of("strong", fmt::format("batch {:g} at every N", batch), sizes,
                   [&](int size) { return subject.strong(size, batch); });
}

ScaleSeries weak_series(const ScaleSubject& subject, const std::vector<int>& sizes,
                        double samples) {
  return series_of(
      "weak", fmt::format("{:g} sample{} a replica at every N", samples, samples == 1 ? "" : "s"),
      sizes, [&](int size) { return subject.weak(size, samples); });
}

ScaleSeries main_series(const ScaleSubject& subject, const ScaleRequest& request) {
  if (request.batch) return strong_series(subject, request.sizes, *request.batch);
  if (request.replica_batch) return weak_series(subject, request.sizes, *request.replica_batch);
  if (!subject.soonest)
    throw InputError({}, "--batch", "is needed, or --replica-batch, and only one of them");
  return series_of("soonest", subject.soonest_rule, request.sizes, subject.soonest);
}

const ScaledPoint& point_at(const ScaleSeries& series, int accelerators) {
  return *std::ranges::find(series.points, accelerators, &ScaledPoint::accelerators);
}

ScaleLimits limits_of(const ScaleSubject& subject, const ScaleSeries& series, int last,
                      const AccountOf& step) {
  ScaleLimits limits{.series = series.name,
                     .least_batch_size = {},
                     .critical_size = {},
                     .searched_to = last,
                     .crossover = {}};
  if (series.points.empty()) return limits;
  const SizeRange sizes{
      .first = series.points.front().accelerators, .last = last, .stride = subject.stride};
  limits.critical_size = critical_size(step, sizes);
  const ScaledPoint& largest = series.points.back();
  limits.crossover = crossover(largest.step, largest.accelerators);
  // Traffic that shrinks with N, and launches that do not, make the estimate too small.
  if (!limits.critical_size && limits.crossover <= sizes.last) limits.crossover.reset();
  limits.crossover_of = largest.accelerators;
  return limits;
}

std::vector<ScaleLimits> all_limits(const ScaleSubject& subject, const ScaleAnswer& answer,
                                    double batch, double samples) {
  const double last = batch * subject.model_parallel;
  ScaleLimits strong =
      limits_of(subject, *answer.strong, static_cast<int>(std::min<double>(last, largest_searched)),
                [&](int size) { return subject.step(size, batch); });
  strong.least_batch_size = static_cast<int>(last);
  const ScaleLimits weak = limits_of(subject, *answer.weak, largest_searched, [&](int size) {
    return subject.weak_step ? subject.weak_step(size, samples)
                             : subject.step(size, samples * size / subject.model_parallel);
  });
  // The crossover divides the work of one batch, so only strong scaling has it.
  ScaleLimits without_crossover = weak;
  without_crossover.crossover.reset();
  return {strong, without_crossover};
}

}  // namespace

bool fits_nowhere(const ScaleAnswer& answer) {
  return answer.main && std::ranges::none_of(answer.main->points,
                                             [](const ScaledPoint& point) { return point.fits(); });
}

std::vector<Knee> all_knees(std::span<const ScalingPoint> points, const KneeOptions& options,
                            std::uint64_t seed) {
  std::vector<Knee> knees = knees_of(points, options);
  knees.push_back(k_means_knee(points, seed));
  return knees;
}

ScaleAnswer scale_answer(std::vector<ScalingPoint> times, const ScaleRequest& request) {
  ScaleAnswer answer;
  answer.laws = fit_laws(times);
  answer.knees = all_knees(times, request.knees, request.seed);
  answer.times = std::move(times);
  answer.time_name = "time";
  return answer;
}

ScaleAnswer scale_answer(const ScaleSubject& subject, const ScaleRequest& request) {
  ScaleSeries main = main_series(subject, request);
  if (main.points.empty()) refuse(main);
  ScaleAnswer answer = scale_answer(times_of(main.points), request);
  answer.name = subject.name;
  answer.machine = subject.machine;
  answer.accelerator = subject.accelerator;
  answer.notes = subject.notes;
  answer.time_name = main.points.front().run ? "time to train" : "time of a million samples";
  const ScaledPoint& knee = point_at(main, *answer.knees.front().accelerators);
  const double batch = request.batch.value_or(knee.batch);
  const double samples = request.replica_batch.value_or(
      std::max(1.0, std::round(knee.batch * subject.model_parallel / knee.accelerators)));
  answer.strong = strong_series(subject, request.sizes, batch);
  answer.weak = weak_series(subject, request.sizes, samples);
  answer.limits = all_limits(subject, answer, batch, samples);
  answer.memory = subject.memory;
  answer.main = std::move(main);
  return answer;
}

ScaleSubject scale_subject(const RunRequest& run, const ScaleRequest& request) {
  return std::visit([&](const auto& of) { return subject_of(run, of, request); }, run.of);
}

ScaleAnswer scale_answer(const RunRequest& run, const ScaleRequest& request) {
  return scale_answer(scale_subject(run, request), request);
}

ScaleAnswer scale_answer(const RunRequest& run, const ScaleRequest& request,
                         const std::vector<Observation>& seen) {
  ScaleAnswer answer = scale_answer(run, request);
  answer.left_out = knees_without_each(seen, std::get<WorkloadRun>(run.of).open, request, answer);
  answer.left_out_note =
      "published runs in one scale-up domain, of all workloads, which predictions learn from\n(no "
      "larger run has a say)";
  return answer;
}

ScaleAnswer published_scale_answer(const PublishedTimes& requested, const Library& library,
                                   const ScaleRequest& request) {
  std::vector<NamedTime> systems;
  for (const PublishedRow& row : read_published_table(requested.table)) {
    const Accelerator* accelerator = library.find_accelerator(row.inputs.accelerator);
    const std::string name = accelerator != nullptr ? accelerator->name : row.inputs.accelerator;
    if (library.find_workload(row.inputs.benchmark) != &requested.workload ||
        !row.outcome.official_minutes || row.inputs.accelerators == 0 ||
        !names_accelerator(requested.accelerator, name))
      continue;
    systems.push_back({row.full_name(), {row.inputs.accelerators, *row.outcome.official_minutes}});
  }
  const auto times = medians_by_size(systems);
  if (times.size() < 2)
    throw InputError({requested.table.string()}, "accelerators",
                     fmt::format("has {} of {} on {}, a series needs at least two sizes",
                                 times.empty() ? "no size" : "one size", requested.workload.name,
                                 requested.accelerator));
  ScaleAnswer answer = scale_answer(times, request);
  answer.name = requested.workload.name;
  answer.machine = answer.accelerator = requested.accelerator;
  answer.time_name = "published time to train, the median of each size";
  answer.left_out = knees_without_each(systems, request, answer);
  answer.left_out_note = "published systems";
  answer.notes = {fmt::format("{} systems of {}; batches and software differ between them",
                              systems.size(), requested.table.filename().string())};
  return answer;
}

}  // namespace answers
}  // namespace tofn
