#include "sim/diagnosis/similar_steps.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "sim/evidence/known_steps.hpp"
#include "sim/simulation/stack_uncertainty.hpp"

namespace tofn {
inline namespace diagnosis {
namespace {

constexpr std::size_t enough = 6;  // least number of steps to compare a job with
constexpr double size_class = 4;   // largest ratio of accelerators that counts as the same size

Precision precision_of(const StepCase& step) {
  return step.plan.precision.value_or(step.model.precision);
}

/// A job and a published step to compare it with.
struct Pair {
  const StepCase& job;
  const KernelProfile& stack;
  const KnownStep& published;
  const KernelProfile& its_stack;

  bool same_stack() const { return its_stack.name == stack.name; }
  bool same_family() const { return its_stack.own_family() == stack.own_family(); }
  /// True for the same accelerator, or one with its architecture and peak: H100s of other memory,
  /// H200.
  bool same_chip() const {
    const Accelerator& own = job.cluster.accelerator;
    const Accelerator& other = published.fitted.step.cluster.accelerator;
    constexpr double alike = 0.02;
    return own.name == other.name ||
           (own.architecture == other.architecture &&
            std::abs(other.peak_at(Precision::Bf16) / own.peak_at(Precision::Bf16) - 1) < alike);
  }
  bool same_kind() const {
    const StepCase& other = published.fitted.step;
    return has_experts(other.model) == has_experts(job.model) &&
           precision_of(other) == precision_of(job);
  }
  bool same_size() const {
    const double times = 1.0 * published.fitted.step.plan.accelerators() / job.plan.accelerators();
    return times <= size_class && times >= 1 / size_class;
  }
};

/// Properties that published steps must share with the job. The table begins with the strictest,
/// and the first that enough steps meet is used.
struct Likeness {
  bool (*holds)(const Pair&);
  /// format of stack, chip, count, range of accelerators, kind and precision
  const char* words;
};
constexpr std::array likenesses{
    Likeness{[](const Pair& p) {
               return p.same_stack() && p.same_chip() && p.same_kind() && p.same_size();
             },
             "of {0} on {1} or a chip of its peak, {5}, in {6}, on {3} to {4} of them"},
    Likeness{[](const Pair& p) { return p.same_stack() && p.same_chip() && p.same_kind(); },
             "of {0} on {1} or a chip of its peak, {5}, in {6}"},
    Likeness{[](const Pair& p) { return p.same_stack() && p.same_chip(); },
             "of {0} on {1} or a chip of its peak"},
    Likeness{[](const Pair& p) { return p.same_family() && p.same_chip(); },
             "of {0} and stacks of its family on {1} or a chip of its peak"},
    Likeness{[](const Pair& p) { return p.same_chip() && p.same_kind(); },
             "of all stacks on {1} or a chip of its peak, {5}, in {6}"},
    Likeness{[](const Pair& p) { return p.same_chip(); },
             "of all stacks on {1} or a chip of its peak"},
    Likeness{[](const Pair& p) { return p.same_stack(); },
             "of {0} on other accelerators (none on {1})"},
    Likeness{[](const Pair&) { return true; }, "of all stacks on all accelerators (none on {1})"}};

double tokens_each(const StepCase& step) {
  return step.plan.global_batch() * step.model.sequence_length / step.plan.accelerators();
}

SimilarStep similar_of(const KnownStep& known, const KernelProfile& stack) {
  const StepCase& step = known.fitted.step;
  return {.stack = stack.name,
          .model = step.model.name,
          .accelerator = step.cluster.accelerator.name,
          .source = known.row.source,
          .precision = precision_of(step),
          .accelerators = step.plan.accelerators(),
          .tokens_each = tokens_each(step),
          .parameters = parameters(step.model),
          .measured = *step.measured,
          .predicted = closed_step(step, stack),
          .utilisation = utilisation_of(step, *step.measured)};
}

/// Distance of a published step from the job: a weighted sum of differences of logarithms.
double distance(const Pair& pair) {
  const StepCase& other = pair.published.fitted.step;
  const auto apart = [](double a, double b) { return std::abs(std::log(a / b)); };
  constexpr double another = 1;  // for another stack or kind of model
  return 3 * apart(parameters(other.model), parameters(pair.job.model)) +
         0.5 * apart(other.plan.accelerators(), pair.job.plan.accelerators()) +
         0.5 * apart(tokens_each(other), tokens_each(pair.job)) +
         0.3 * apart(other.plan.tensor_parallel_size, pair.job.plan.tensor_parallel_size) +
         0.3 * apart(other.plan.pipeline_parallel_size, pair.job.plan.pipeline_parallel_size) +
         (pair.same_stack() ? 0 : another) + (pair.same_kind() ? 0 : 2 * another);
}

}  // namespace

double utilisation_of(const StepCase& job, Seconds step) {
  return model_flops(job.model) * job.plan.global_batch() / step /
         (job.cluster.accelerator.peak_at(precision_of(job)) * job.plan.accelerators());
}

Interval SimilarSteps::ratios() const {
  std::vector<double> all;
  for (const SimilarStep& each : steps) all.push_back(each.ratio());
  return {tofn::quantile(all, 0.05), tofn::quantile(all, 0.95)};
}

Interval SimilarSteps::utilisations() const {
  std::vector<double> all;
  for (const SimilarStep& each : steps) all.push_back(each.utilisation);
  return {tofn::quantile(all, 0.05), tofn::quantile(all, 0.95)};
}

double SimilarSteps::share_faster_than(double ratio) const {
  const auto faster =
      std::ranges::count_if(steps, [&](const SimilarStep& each) { return each.ratio() < ratio; });
  return static_cast<double>(faster) / static_cast<double>(steps.size());
}

SimilarSteps similar_steps(const StepCase& job, const KernelProfile& stack,
                           const std::filesystem::path& configs) {
  KnownSteps known(configs);
  for (const auto& table : tables_of_steps(configs)) known.read(table, nullptr);
  std::vector<Pair> pairs;
  for (const KnownStep& each : known.all())
    pairs.push_back({job, stack, each, known.profile_of(each)});
  SimilarSteps similar;
  const Pair* nearest = nullptr;
  for (const Pair& each : pairs)
    if (each.same_chip() && (nearest == nullptr || distance(each) < distance(*nearest)))
      nearest = &each;
  if (nearest != nullptr) similar.nearest = similar_of(nearest->published, nearest->its_stack);
  for (const Likeness& likeness : likenesses) {
    const auto count = std::ranges::count_if(pairs, likeness.holds);
    if (static_cast<std::size_t>(count) < enough) continue;
    int least = 0;
    int most = 0;
    for (const Pair& each : pairs) {
      if (!likeness.holds(each)) continue;
      similar.steps.push_back(similar_of(each.published, each.its_stack));
      const int size = similar.steps.back().accelerators;
      least = least == 0 ? size : std::min(least, size);
      most = std::max(most, size);
    }
    similar.likeness = fmt::format(
        fmt::runtime(likeness.words), stack.name, job.cluster.accelerator.name, count, least, most,
        has_experts(job.model) ? "with experts" : "dense", to_text(precision_of(job)));
    break;
  }
  std::ranges::stable_sort(similar.steps,
                           [](const auto& a, const auto& b) { return a.ratio() < b.ratio(); });
  return similar;
}

}  // namespace diagnosis
}  // namespace tofn
