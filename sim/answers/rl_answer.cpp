#include "sim/answers/rl_answer.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include <fmt/format.h>

#include "sim/answers/idle_choices.hpp"
#include "sim/answers/rl_estimate.hpp"
#include "sim/answers/step_answer.hpp"
#include "sim/core/error.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/rollout/training_passes.hpp"

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
  /// Numbers of generators in steps of an eighth; where there is more than one node, also rounded
  /// down to whole ones.
  std::set<int> ratios(int accelerators) const {
    constexpr int parts = 8;
    const int node = request_.cluster.accelerators_per_node.value;
    const int multiple = accelerators >= 2 * node ? node : 1;
    std::set<int> all;
    for (int part = 1; part < parts; ++part) {
      const int near = accelerators * part / parts / multiple * multiple;
      if (near > 0 && near < accelerators) all.insert(near);
      if (accelerators * part % parts == 0) all.insert(accelerators * part / parts);
    }
    return all;
  }

  const SimulatedPasses& training(int accelerators) {
    const auto known = passes_.find(accelerators);
    if (known != passes_.end()) return known->second;
    Model model = request_.model;
    model.sequence_length = request_.rl.sample_tokens();
    return passes_
        .emplace(accelerators,
                 simulated_passes({.model = model,
                                   .cluster = request_.cluster,
                                   .profile = request_.profile,
                                   .plan = request_.plan,
                                   .accelerators = accelerators,
                                   .responses = request_.rl.responses(),
                                   .updates = request_.rl.updates,
                                   .forward_passes = request_.rl.has_reference ? 2 : 1,
                                   .packed_tokens = request_.rl.longest_tokens}))
        .first->second;
  }

  /// Layouts of engines that are tried: what is stated, else ranks of doublings.
  std::vector<EngineLayout> layouts(int generators) const {
    const auto stated = request_.rl.engine_ranks;
    if (stated) {
      require_engine_size(decoder_, *stated, request_.rl.engine_attention);
      if (*stated > generators)
        throw InputError(fmt::format("an engine of {} accelerators does not fit {} that generate",
                                     *stated, generators));
    }
    std::vector<EngineLayout> all;
    for (const auto& [name, attention] : engine_attentions) {
      if (request_.rl.engine_attention.value_or(attention) != attention) continue;
      for (const int ranks : engine_sizes(decoder_, attention))
        if (stated ? ranks == *stated
                   : ranks <= std::min(generators, most_engine_ranks) &&
                         std::has_single_bit(static_cast<unsigned>(ranks)))
          all.push_back({.ranks = ranks, .attention = attention});
    }
    return all;
  }

  RlSplit split(int generators, int trainers, int age, bool is_colocated) {
    const SimulatedPasses& passes = training(trainers);
    std::optional<RlSplit> best;
    std::string refusal;
    for (const EngineLayout& layout : layouts(generators)) try {
        RlSplit found = with_engine(generators, layout, passes, age, is_colocated);
        if (!best || found.step.period() < best->step.period()) best = std::move(found);
      } catch (const InputError& error) {
        refusal = error.what();
      }
    if (!best) throw InputError(refusal.empty() ? "no engine splits so few accelerators" : refusal);
    best->generators = generators;
    best->trainers = trainers;
    best->activity = rl_activity(best->step, passes, generators, trainers);
    return *best;
  }

  RlSplit with_engine(int generators, EngineLayout layout, const SimulatedPasses& passes, int age,
                      bool is_colocated) const {
    const RlFigures figures{};
    EngineFigures engine_figures{};
    engine_figures.host = figures.host;
    layout.weights = request_.rl.engine_weights();
    layout.memory_share = is_colocated ? memory_share_beside_training : memory_share_alone;
    const int engines = generators / layout.ranks;
    const Engine engine(decoder_, request_.cluster, layout, engine_figures, engines);
    const RolloutTimes rollout =
        rollout_times(engine, {.responses = request_.rl.responses(),
                               .prompt = request_.rl.prompt_tokens(),
                               .lengths = request_.rl.lengths(),
                               .engines = engines,
                               .most_sequences = request_.rl.most_sequences(),
                               .batches_in_flight = age + 1});
    return {.engine = layout,
            .engines = engines,
            .step = rl_step(rollout, passes.times, decoder_, figures,
                            {.is_colocated = is_colocated, .steps_off = age}),
            .activity = {},
            .plan = passes.plan,
            .fits = passes.fits};
  }

  const RlRequest& request_;
  Decoder decoder_;
  std::map<int, SimulatedPasses> passes_;
  std::string refusal_;
};

RlSplit chosen_split(const RlRequest& request, RlPredictor& predictor, int accelerators) {
  if (request.rl.is_colocated()) return predictor.colocated(accelerators);
  if (request.rl.generators) {
    if (*request.rl.generators >= accelerators)
      throw InputError(fmt::format("{} of {} accelerators generate: none is left to train",
                                   *request.rl.generators, accelerators));
    return predictor.apart(*request.rl.generators, accelerators - *request.rl.generators,
                           request.rl.age());
  }
  if (auto best = predictor.best_apart(accelerators, request.rl.age())) return *best;
  throw InputError(predictor.refusal().empty() ? "too few accelerators to share out"
                                               : predictor.refusal());
}

/// True if a division shortens the step by more than two equal jobs differ, and fits the memory.
bool is_clearly_better(const RlSplit& than, const RlSplit& split) {
  constexpr double much = 1.05;
  return than.fits && than.step.period() * much <= split.step.period();
}

/// Another division that is clearly better: the best ratio of the age that is stated, or else one
/// step off.
std::optional<RlSplit> better_split(const RlRequest& request, RlPredictor& predictor,
                                    int accelerators, const RlSplit& split) {
  if (!request.rl.is_colocated() && !request.rl.generators) return {};
  auto best = predictor.best_apart(accelerators, request.rl.steps_off.value_or(1));
  return best && is_clearly_better(*best, split) ? best : std::nullopt;
}

/// Both sides on the same accelerators, on policy, if that is clearly better.
std::optional<RlSplit> shared_split(RlPredictor& predictor, int accelerators,
                                    const RlSplit& split) {
  if (split.step.placement.is_colocated) return {};
  try {
    RlSplit shared = predictor.colocated(accelerators);
    if (is_clearly_better(shared, split)) return shared;
  } catch (const InputError&) {
    return {};  // no engine fits beside training
  }
  return {};
}

/// Sentence on engines whose weights are narrower than the products that the chip computes.
std::vector<std::string> wider_products(const RlRequest& request) {
  const Accelerator& chip = request.cluster.accelerator;
  const Precision weights = request.rl.engine_weights();
  const Precision products = chip.computes_in(weights);
  if (products == weights) return {};
  return {fmt::format("{} has no {}: engines keep their weights in {} and multiply in {}",
                      chip.name, to_text(weights), to_text(weights), to_text(products))};
}

/// Adds sentences on what was substituted, and on the choices that do nothing in training.
void add_substitutions(const RlRequest& request, const SimulatedStep& step, RlPoint& point) {
  add_new(point.substitutions, step.substitutions);
  add_new(point.substitutions, wider_products(request));
  add_new(point.substitutions, other_micro_batch(request.plan, step.plan));
  add_new(point.substitutions, idle_choices(request.plan, step.plan));
  add_new(point.substitutions, idle_switches(request.plan, step, request.profile));
  add_new(point.substitutions, idle_choices(request.expenses, point.estimate->expense));
}

}  // namespace

double RlPoint::tokens_per_second_each(const RlRequest& request) const {
  return request.rl.responses() * request.rl.sample_tokens() / split->step.period().base() /
         accelerators;
}

Interval RlPoint::seconds() const {
  return estimate->interval(figure_of(&RunFigures::step_seconds));
}

Interval RlPoint::tokens_per_second_each() const {
  const Interval all = estimate->interval(figure_of(&RunFigures::tokens_per_second));
  return {all.low / accelerators, all.high / accelerators};
}

RlSplit moved_split(const RlRequest& request, const RlSplit& like) {
  RlRequest fixed = request;
  fixed.rl.engine_ranks = like.engine.ranks;
  fixed.rl.engine_attention = like.engine.attention;
  fixed.plan = {.name = {},
                .split = like.plan,
                .gradient_accumulation = like.plan.gradient_accumulation,
                .is_whole = true};
  fixed.plan.split.data_parallel_size = fixed.plan.split.gradient_accumulation = 1;
  RlPredictor predictor(fixed);
  const RlPlacement& placement = like.step.placement;
  return placement.is_colocated
             ? predictor.colocated(like.trainers)
             : predictor.apart(like.generators, like.trainers, placement.steps_off);
}

RlPoint rl_point(const RlRequest& request, int accelerators) {
  RlPredictor predictor(request);
  RlPoint point;
  point.accelerators = accelerators;
  point.split = chosen_split(request, predictor, accelerators);
  point.fits = point.split->fits;
  point.better = better_split(request, predictor, accelerators, *point.split);
  point.shared = shared_split(predictor, accelerators, *point.split);
  const SimulatedStep training = simulate_step(at_length(request.model, request.rl.sample_tokens()),
                                               point.split->plan, request.cluster, request.profile);
  if (!point.fits) {
    point.way_out = nearest_plan_that_fits(training);
    point.too_large = training;
  }
  point.estimate = rl_estimate(request, accelerators, *point.split, training);
  add_substitutions(request, training, point);
  return point;
}

RlAnswer rl_answer(const RlRequest& request) {
  RlAnswer answer;
  for (const int size : request.sizes) try {
      answer.points.push_back(rl_point(request, size));
    } catch (const InputError& error) {
      RlPoint& skipped = answer.points.emplace_back();
      skipped.accelerators = size;
      skipped.skipped_because = error.what();
    }
  require_any({answer.points.begin(), answer.points.end()});
  return answer;
}

}  // namespace answers
}  // namespace tofn
