#include "sim/answers/collective_answer.hpp"

#include <algorithm>
#include <cmath>

#include "sim/cluster/measured_group.hpp"
#include "sim/curves/cost_curve.hpp"
#include "sim/validation/link_lint.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// Range of the measurements to which the ramps are fitted (a test checks it).
constexpr double most_nodes = 10;
constexpr Bytes largest_size{0x1p34};

/// Returns the algorithms of the cluster's library and the one that the cluster names, or those of
/// other libraries; fastest first. Reduction in the network is left out, because a run must request
/// it. A torus runs only its own library's algorithms.
std::vector<TimedAlgorithm> candidates(const CollectiveRequest& request, bool of_others) {
  const Communicator& c = request.communicator;
  std::vector<TimedAlgorithm> all;
  if (of_others && c.library == CollectiveLibrary::Xla) return all;
  const auto is_own = [&](const Algorithm& each) {
    return each.library == c.library ||
           (each.collective == CollectiveKind::AllReduce && each.name == c.all_reduce);
  };
  for (const Algorithm& each : collective_algorithms())
    if (each.collective == request.kind && is_own(each) != of_others && each.supports(c, false))
      all.push_back({&each, each.time(request.size, c, fitted_ramps()) +
                                (of_others ? Seconds{} : staging_time(request.size, c))});
  std::ranges::stable_sort(all, {}, &TimedAlgorithm::time);
  return all;
}

std::vector<ChosenUpTo> chosen_by_size(const CollectiveRequest& request) {
  constexpr int steps = 31 * 16;
  std::vector<ChosenUpTo> chosen;
  for (int step = 0; step <= steps; ++step) {
    const Bytes size{8 * std::exp2(step / 16.0)};
    const Algorithm& now = chosen_algorithm(request.kind, size, request.communicator, false);
    const Algorithm* last = chosen.empty() ? nullptr : chosen.back().algorithm;
    if (last != nullptr && last->name == now.name && last->protocol == now.protocol) continue;
    if (last != nullptr) chosen.back().end = size;
    chosen.push_back({&now, {}});
  }
  return chosen;
}

std::optional<MeasuredAnswer> measured_answer(const CollectiveRequest& request,
                                              const std::optional<LearnedTime>& learned) {
  const Communicator& c = request.communicator;
  if (c.measured == nullptr || c.measured->find(request.kind) == nullptr) return {};
  const MeasuredGroup::Measured& measured = *c.measured->find(request.kind);
  const CurveAnswer curve = measured.curve.at(request.size);
  MeasuredAnswer answer{.cost = collective_cost(request.kind, request.size, c, false),
                        .carried_from = {},
                        .of = measured.of,
                        .seconds = {}};
  if (measured.on) answer.carried_from = measured.on->ranks;
  const double time = answer.cost.time.base();
  if (!answer.carried_from && !answer.of)
    answer.seconds = {time * (curve.low / curve.time), time * (curve.high / curve.time)};
  else if (learned)
    answer.seconds = learned->around(answer.cost.time);
  return answer;
}

}  // namespace

CollectiveAnswer collective_answer(const CollectiveRequest& request,
                                   const std::optional<LearnedTime>& learned) {
  CollectiveAnswer answer{.request = request,
                          .own = candidates(request, false),
                          .others = candidates(request, true),
                          .by_size = chosen_by_size(request),
                          .measured = measured_answer(request, learned),
                          .learned = learned,
                          .beyond_nodes = request.communicator.domains / most_nodes,
                          .beyond_sizes = request.size / largest_size};
  const Algorithm& chosen =
      chosen_algorithm(request.kind, request.size, request.communicator, false);
  for (auto* algorithms : {&answer.own, &answer.others})
    for (TimedAlgorithm& each : *algorithms) {
      each.over = each.time / answer.own.front().time;
      each.is_chosen = each.algorithm == &chosen;
    }
  return answer;
}

CollectiveAnswer collective_answer_on(Cluster cluster, const RanksOfJob& ranks,
                                      CollectiveRequest request, const LinkFit& fit,
                                      bool is_shipped) {
  request.communicator = ranks.on(cluster);
  cluster.measured.reset();
  LearnedTime learned = learned_time(fit, cluster, ranks.on(with_nominal_links(cluster)),
                                     request.kind, request.size, is_shipped);
  learned.least = least_time(request.kind, request.size, ranks.on(with_full_links(cluster))).time;
  return collective_answer(request, learned);
}

Seconds CollectiveAnswer::time() const {
  if (measured) return measured->cost.time;
  return is_by_tables() ? learned->time : chosen().time;
}

std::optional<Interval> CollectiveAnswer::seconds() const {
  if (measured) return measured->seconds;
  if (!learned) return {};
  return learned->around(time());
}

const TimedAlgorithm& CollectiveAnswer::chosen() const {
  return *std::ranges::find_if(own, [](const TimedAlgorithm& each) { return each.is_chosen; });
}

}  // namespace answers
}  // namespace tofn
