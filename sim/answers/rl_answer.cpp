#include "sim/answers/rl_answer.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "sim/answers/idle_choices.hpp"
#include "sim/core/error.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/simulation/simulated_step.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// Most ranks of an engine that are tried.
constexpr int most_engine_ranks = 64;

/// Predictions of one model on one cluster; both sides of a step are worked out once a size.
class RlPredictor {
 public:
  explicit RlPredictor(const RlRequest& request)
      : request_(request), decoder_(decoder_of(request.model)) {}

  RlSplit colocated(int accelerators) { return split(accelerators, accelerators, 0, true); }
  RlSplit apart(int generators, int trainers, int age) {
    return split(generators, trainers, age, false);
  }

  /// The division of the accelerators with the shortest step; ratios in eighths.
  std::optional<RlSplit> best_apart(int accelerators, int age) {
    std::optional<RlSplit> best;
    for (const int generators : ratios(accelerators)) try {
        RlSplit found = apart(generators, accelerators - generators, age);
        const auto rank = [](const RlSplit& of) { return std::pair(!of.fits, of.step.period()); };
        if (!best || rank(found) < rank(*best)) best = std::move(found);
      } catch (const InputError& error) {
        refusal_ = error.what();
      }
    return best;
  }
  const std::string& refusal() const { return refusal_; }

 private:
  /// Numbers of generators in steps of an eighth, in whole nodes where these are more than one.
  std::set<int> ratios(int accelerators) const {
    constexpr int parts = 8;
    const int node = request_.cluster.accelerators_per_node.value;
    const int multiple = accelerators >= 2 * node ? node : 1;
    std::set<int> all;
    for (int part = 1; part < parts; ++part) {
      const int near = accelerators * part / parts / multiple * multiple;
      if (near > 0 && near < accelerators) all.insert(near);
    }
    return all;
  }

  const SimulatedPasses& training(int accelerators) {
    const auto known = passes_.find(accelerators);
    if (known != passes_.end()) return known->second;
    Model model = request_.model;
    model.sequence_length = request_.prompt_tokens + request_.lengths.mean;
    return passes_
        .emplace(accelerators,
                 simulated_passes({.model = model,
                                   .cluster = request_.cluster,
                                   .profile = request_.profile,
                                   .plan = request_.plan,
                                   .accelerators = accelerators,
                                   .responses = request_.responses(),
                                   .updates = request_.updates,
                                   .forward_passes = request_.has_reference ? 2 : 1,
                                   .packed_tokens = request_.prompt_tokens + request_.lengths.cap}))
        .first->second;
  }

  /// Ranks that engines may have: those stated, else doublings that divide the accelerators.
  std::vector<int> rank_choices(int generators) const {
    if (request_.engine_ranks) {
      if (*request_.engine_ranks > generators)
        throw InputError(fmt::format("an engine of {} accelerators does not fit {} that generate",
                                     *request_.engine_ranks, generators));
      return {*request_.engine_ranks};
    }
    std::vector<int> all;
    for (int ranks = 1; ranks <= std::min(generators, most_engine_ranks); ranks *= 2)
      all.push_back(ranks);
    return all;
  }

  RlSplit split(int generators, int trainers, int age, bool is_colocated) {
    const SimulatedPasses& passes = training(trainers);
    std::optional<RlSplit> best;
    std::string refusal;
    for (const int ranks : rank_choices(generators)) try {
        RlSplit found = with_engine(generators, ranks, passes, age, is_colocated);
        if (!best || found.step.period() < best->step.period()) best = std::move(found);
      } catch (const InputError& error) {
        refusal = error.what();
      }
    if (!best) throw InputError(refusal);
    best->generators = generators;
    best->trainers = trainers;
    return *best;
  }

  RlSplit with_engine(int generators, int ranks, const SimulatedPasses& passes, int age,
                      bool is_colocated) const {
    const RlFigures figures{};
    EngineFigures engine_figures{};
    engine_figures.host = figures.host;
    const EngineLayout layout{
        .ranks = ranks,
        .weights = request_.cluster.accelerator.computes_in(request_.engine_weights),
        .memory_share = is_colocated ? memory_share_beside_training : memory_share_alone};
    const int engines = generators / ranks;
    const Engine engine(decoder_, request_.cluster, layout, engine_figures, engines);
    const RolloutTimes rollout = rollout_times(engine, {.responses = request_.responses(),
                                                        .prompt = request_.prompt_tokens,
                                                        .lengths = request_.lengths,
                                                        .engines = engines,
                                                        .most_sequences = request_.most_sequences,
                                                        .batches_in_flight = age + 1});
    return {.engine = layout,
            .engines = engines,
            .step = rl_step(rollout, passes.times, decoder_, figures,
                            {.is_colocated = is_colocated, .steps_off = age}),
            .plan = passes.plan,
            .fits = passes.fits};
  }

  const RlRequest& request_;
  Decoder decoder_;
  std::map<int, SimulatedPasses> passes_;
  std::string refusal_;
};

RlSplit chosen_split(const RlRequest& request, RlPredictor& predictor, int accelerators) {
  if (request.is_colocated()) return predictor.colocated(accelerators);
  if (request.generators) {
    if (*request.generators >= accelerators)
      throw InputError(fmt::format("{} of {} accelerators generate: none is left to train",
                                   *request.generators, accelerators));
    return predictor.apart(*request.generators, accelerators - *request.generators, request.age());
  }
  if (auto best = predictor.best_apart(accelerators, request.age())) return *best;
  throw InputError(predictor.refusal().empty() ? "too few accelerators to share out"
                                               : predictor.refusal());
}

/// Another division that shortens the step by more than two equal jobs differ: the best ratio, or,
/// if the same accelerators do both, the best one step off.
std::optional<RlSplit> better_split(const RlRequest& request, RlPredictor& predictor,
                                    int accelerators, const RlSplit& split) {
  if (!request.is_colocated() && !request.generators) return {};
  auto best = predictor.best_apart(accelerators, std::max(1, request.age()));
  constexpr double much = 1.05;
  if (request.generators && request.age() == 0) best = predictor.best_apart(accelerators, 0);
  if (!best || (!best->fits && split.fits) || best->step.period() * much > split.step.period())
    return {};
  return best;
}

/// Adds sentences on the training side: what was substituted, and which choices do nothing there.
void add_substitutions(const RlRequest& request, RlPoint& point) {
  const SimulatedStep step =
      simulate_step(at_length(request.model, request.prompt_tokens + request.lengths.mean),
                    point.split->plan, request.cluster, request.profile);
  add_new(point.substitutions, step.substitutions);
  add_new(point.substitutions, other_micro_batch(request.plan, step.plan));
  add_new(point.substitutions, idle_choices(request.plan, step.plan));
  add_new(point.substitutions, idle_switches(request.plan, step, request.profile));
}

RlPoint rl_point(const RlRequest& request, int accelerators) {
  RlPredictor predictor(request);
  RlPoint point{.accelerators = accelerators};
  point.split = chosen_split(request, predictor, accelerators);
  point.better = better_split(request, predictor, accelerators, *point.split);
  add_substitutions(request, point);
  const double seconds = point.split->step.period().base();
  const double factor = std::exp(ninety_percent_deviations * rl_step_deviation);
  point.seconds = {seconds / factor, seconds * factor};
  return point;
}

}  // namespace

double RlPoint::tokens_per_second_each(const RlRequest& request) const {
  return request.responses() * (request.prompt_tokens + request.lengths.mean) /
         split->step.period().base() / accelerators;
}

RlAnswer rl_answer(const RlRequest& request) {
  RlAnswer answer;
  for (const int size : request.sizes) try {
      answer.points.push_back(rl_point(request, size));
    } catch (const InputError& error) {
      answer.points.push_back({.accelerators = size, .skipped_because = error.what()});
    }
  const auto is_answered = [](const RlPoint& point) { return point.split.has_value(); };
  if (std::none_of(answer.points.begin(), answer.points.end(), is_answered))
    throw InputError(fmt::format("N = {}: {}", answer.points.front().accelerators,
                                 answer.points.front().skipped_because));
  return answer;
}

}  // namespace answers
}  // namespace tofn
