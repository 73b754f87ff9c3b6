#include "sim/answers/plan_answer.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "sim/answers/candidate_search.hpp"
#include "sim/answers/choice_uncertainty.hpp"
#include "sim/answers/predict_answer.hpp"
#include "sim/core/error.hpp"
#include "sim/parallelism/substitutions.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// A run to be tried.
struct Trial {
  std::size_t run = 0;
  std::size_t offer = 0;
  int accelerators = 0;

  auto operator<=>(const Trial&) const = default;
};

Trial trial_of(const RunCandidate& candidate) {
  return {candidate.run, candidate.offer, candidate.point.accelerators};
}

bool has_whole_samples(const RunPoint& point) {
  const auto& stretches = point.estimate->run->stretches;
  return std::ranges::all_of(stretches, [](const RunStretch& stretch) {
    return stretch.step->plan().has_whole_samples();
  });
}

class RunSearcher {
 public:
  explicit RunSearcher(const RunSearch& request) : request_(request) {}

  RunChoice run();

 private:
  void work_out(const std::vector<Trial>&);
  std::vector<Trial> between_sizes() const;
  bool has_precision(std::size_t run, std::size_t offer) const;
  double value(const RunCandidate& candidate) const { return request_.by.of(candidate.figures()); }
  std::optional<std::size_t> best_of(const RunLimit* without) const;
  void mark_frontier();
  void choose();

  const RunSearch& request_;
  RunChoice choice_;
  LeftOutSizes left_out_;
  bool some_do_not_fit_ = false;
};

void RunSearcher::work_out(const std::vector<Trial>& trials) {
  std::vector<RunCandidate> found(trials.size());
  try_each(request_, trials.size(), [&](std::size_t i) {
    const auto& [run, offer, accelerators] = trials[i];
    RunCandidate& candidate = found[i];
    candidate.run = run;
    candidate.offer = offer;
    try {
      candidate.point = run_point(request_of(request_, run, offer), accelerators);
    } catch (const InputError& error) {
      candidate.point.skipped_because = error.what();
    }
  });
  for (std::size_t i = 0; i < found.size(); ++i) {
    RunCandidate& candidate = found[i];
    const Cluster& cluster = request_.offers[candidate.offer].cluster;
    std::string reason = candidate.point.skipped_because;
    if (reason.empty() && !candidate.point.estimate) {
      ++choice_.not_tried;
      continue;
    }
    if (reason.empty() && !candidate.point.fits) {
      reason = "no plan fits the memory";
      some_do_not_fit_ = true;
    }
    if (reason.empty() && !has_whole_samples(candidate.point))
      reason = "the batch does not split into whole samples";
    if (reason.empty() && needs_price(request_.by, request_.limits) &&
        !candidate.point.estimate->expense.price)
      reason = unpriced_words(cluster, request_.offers[candidate.offer].expenses);
    if (reason.empty())
      choice_.candidates.push_back(std::move(candidate));
    else
      left_out_.add(cluster.name, trials[i].accelerators, reason);
  }
}

/// Trials of sizes between those requested, around the best of each run and offer.
std::vector<Trial> RunSearcher::between_sizes() const {
  std::vector<Trial> trials;
  for (const RunCandidate* best : worth_refining(
           choice_.candidates, request_.offers,
           [](const RunCandidate&each) { return std::pair(each.run, each.offer); },
           [&](const RunCandidate&a, const RunCandidate&b) { return is_better(request_, a, b); }))
    for (const int size : sizes_between(request_.offers[best->offer], best->point.accelerators))
      trials.push_back({best->run, best->offer, size});
  std::ranges::sort(trials);
  return trials;
}

/// True if the chip has the run's precision; the first run is as requested and tried on every chip.
bool RunSearcher::has_precision(std::size_t run, std::size_t offer) const {
  const RunPhase& phase = request_.runs[run].phases.front();
  const Precision precision = requested_precision(phase.model, phase.plan.split);
  return run == 0 || request_.offers[offer].cluster.accelerator.has(precision);
}

/// Returns the first candidate that keeps all limits except `without`; candidates are in the
/// objective's order.
std::optional<std::size_t> RunSearcher::best_of(const RunLimit* without) const {
  for (std::size_t i = 0; i < choice_.candidates.size(); ++i)
    if (chance_of(choice_.candidates[i].estimate(), request_.limits, without) >=
        request_.confidence)
      return i;
  return {};
}

void RunSearcher::mark_frontier() {
  for (RunCandidate& each : choice_.candidates)
    each.is_on_frontier = std::ranges::none_of(choice_.candidates,
                                               [&](const RunCandidate& other) {
                                                 const RunFigures& a = other.figures();
                                                 const RunFigures& b = each.figures();
                                                 return other.point.estimate->expense.price &&
                                                        a.days <= b.days && a.usd <= b.usd &&
                                                        (a.days < b.days || a.usd < b.usd);
                                               }) &&
                          each.point.estimate->expense.price;
}

void RunSearcher::choose() {
  auto& all = choice_.candidates;
  choice_.best = best_of(nullptr);
  choice_.nearest = static_cast<std::size_t>(
      std::ranges::min_element(all, is_nearer<RunCandidate>) - all.begin());
  for (const RunLimit& limit : request_.limits)
    if (const auto other = best_of(&limit); other && other != choice_.best)
      choice_.binding.push_back({limit, *other});
  if (!choice_.best) return;
  const RunCandidate& best = all[*choice_.best];
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_alike =
        all[i].offer == best.offer && all[i].point.accelerators == best.point.accelerators;
    if (is_alike && all[i].run != best.run) choice_.other_precision = i;
    if (!is_alike && all[i].chance >= request_.confidence && i > *choice_.best &&
        !choice_.runner_up)
      choice_.runner_up = i;
  }
  if (!choice_.runner_up) return;
  const RunCandidate& other = all[*choice_.runner_up];
  choice_.lost_by = lost_by(best.point, other.point, request_.by.name);
  int ahead = 0;
  const auto drawn = [&](const RunCandidate& candidate, std::size_t i) {
    RunFigures figures = candidate.figures();
    for (const auto figure : {&RunFigures::days, &RunFigures::usd, &RunFigures::kilowatt_hours,
                              &RunFigures::co2_tonnes})
      figures.*figure =
          candidate.estimate().sampled(figure_of(figure), candidate.estimate().samples[i]);
    return request_.by.of(figures);
  };
  const std::size_t draws = best.estimate().samples.size();
  const Distribution of_their_own{std::sqrt(undrawn_variance(request_, best, other))};
  CommonDraws own(DrawStream::Software, default_seed, "best and runner-up");
  for (std::size_t i = 0; i < draws; ++i) {
    own.next();
    ahead += drawn(best, i) <= of_their_own.draw(drawn(other, i), own.normal());
  }
  choice_.ahead = 1.0 * ahead / static_cast<double>(draws);
}

RunChoice RunSearcher::run() {
  std::vector<Trial> trials;
  for (std::size_t run = 0; run < request_.runs.size(); ++run)
    for (std::size_t offer = 0; offer < request_.offers.size(); ++offer)
      if (has_precision(run, offer))
        for (const int size : request_.offers[offer].sizes) trials.push_back({run, offer, size});
  const auto rate = [&] {
    for (RunCandidate& each : choice_.candidates) {
      each.chance = chance_of(each.estimate(), request_.limits);
      each.excess = largest_excess(each.estimate(), request_.limits);
    }
  };
  work_out(trials);
  rate();
  work_out(between_sizes());
  rate();
  if (choice_.candidates.empty()) refuse_all(choice_.not_tried, left_out_, some_do_not_fit_);
  choice_.left_out = left_out_.words();
  std::ranges::sort(choice_.candidates, [&](const RunCandidate& a, const RunCandidate& b) {
    return std::tuple(value(a), trial_of(a)) < std::tuple(value(b), trial_of(b));
  });
  mark_frontier();
  choose();
  return std::move(choice_);
}

}  // namespace

RunRequest request_of(const RunSearch& search, std::size_t run, std::size_t offer) {
  return {.of = ModelRun{.run = search.runs[run],
                         .cluster = search.offers[offer].cluster,
                         .stack = search.profile,
                         .space = search.space,
                         .overrun = search.overrun,
                         .holds_loss = true},
          .expenses = search.offers[offer].expenses,
          .grid_intensity = search.grid_intensity};
}

RunChoice run_choice(const RunSearch& request) { return RunSearcher(request).run(); }

}  // namespace answers
}  // namespace tofn
