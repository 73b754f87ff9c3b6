#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

#include "sim/cluster/measured_group.hpp"
#include "sim/collectives/algorithm.hpp"
#include "sim/collectives/algorithms/algorithms.hpp"
#include "sim/core/statistics.hpp"

namespace tofn {
inline namespace collectives {

namespace {

template <std::size_t... N>
auto joined(const std::array<Algorithm, N>&... groups) {
  std::array<Algorithm, (N + ...)> all{};
  auto next = all.begin();
  ((next = std::copy(groups.begin(), groups.end(), next)), ...);
  return all;
}

}  // namespace

std::span<const Algorithm> collective_algorithms() {
  static const auto algorithms =
      joined(rings, trees,
             std::array{in_switch_all_reduce, in_switch_tree_all_reduce, in_network_all_reduce,
                        pairwise_all_to_all, pairwise_send_receive},
             mpi_pairwise, open_mpi, halving_doubling, hierarchical, direct, torus);
  return algorithms;
}

namespace {

struct Choice {
  const Algorithm* algorithm = nullptr;
  Seconds time{std::numeric_limits<double>::infinity()};
};

template <class IsAllowed>
Choice fastest(CollectiveKind kind, Bytes payload, const Communicator& c, bool in_network_reduction,
               const Ramps& ramps, const IsAllowed& is_allowed) {
  Choice best;
  for (const Algorithm& algorithm : collective_algorithms()) {
    if (algorithm.collective != kind || !is_allowed(algorithm) ||
        !algorithm.supports(c, in_network_reduction))
      continue;
    const Seconds time = algorithm.time(payload, c, ramps);
    if (time < best.time) best = {&algorithm, time};
  }
  return best;
}

Choice choose(CollectiveKind kind, Bytes payload, const Communicator& c, bool in_network_reduction,
              const Ramps& ramps) {
  if (kind == CollectiveKind::AllReduce && !c.all_reduce.empty()) {
    const Choice request =
        fastest(kind, payload, c, in_network_reduction, ramps,
                [&](const Algorithm& algorithm) { return algorithm.name == c.all_reduce; });
    if (request.algorithm != nullptr) return request;  // otherwise it cannot serve these ranks
  }
  const bool is_decided = c.library == CollectiveLibrary::Mpi && kind == CollectiveKind::AllReduce;
  const Choice best =
      fastest(kind, payload, c, in_network_reduction, ramps, [&](const Algorithm& algorithm) {
        return algorithm.library == c.library &&
               (!is_decided || algorithm.name == open_mpi_all_reduce(payload));
      });
  assert(best.algorithm != nullptr);
  return best;
}

}  // namespace

const Algorithm& chosen_algorithm(CollectiveKind kind, Bytes payload, const Communicator& c,
                                  bool in_network_reduction, const Ramps& ramps) {
  assert(c.ranks > 1);
  return *choose(kind, payload, c, in_network_reduction, ramps).algorithm;
}

Seconds staging_time(Bytes payload, const Communicator& c) {
  if (c.staging.bandwidth.base() <= 0) return {};
  return 2 * (c.start * c.staging.latency + payload / c.staging.bandwidth);
}

namespace {

double deviated(const CurveAnswer& answer, double deviation) {
  if (deviation == 0) return 1;
  return std::pow(answer.high / answer.time, deviation / ninety_percent_deviations);
}

/// True if the network's switches reduce.
bool is_in_network(const Choice& choice, const Communicator& c, bool in_network_reduction) {
  return in_network_reduction && !choice.algorithm->supports(c, false);
}

/// Time of a curve at any size. Above its rows it grows at least by what the formula of the
/// measured ranks grows, and at most by the formula's factor. Below them it is at least the
/// formula's time, or a part of it where the first row is faster.
template <class Formula>
Seconds time_by(const CostCurve& curve, Bytes payload, const Formula& formula) {
  const Bytes end{std::clamp(payload.base(), curve.measured().front(), curve.measured().back())};
  const Seconds time = curve.at(payload).time;
  if (end == payload) return time;
  const Seconds at_end = curve.at(end).time;
  const double slowness = at_end / formula(end);
  if (payload < end) return std::max(time, std::min(1.0, slowness) * formula(payload));
  const Seconds least = at_end + (formula(payload) - formula(end));
  return std::clamp(time, least, std::max(least, slowness * formula(payload)));
}

/// Cost from a measured time. A formula acts only outside the measured sizes, or if the measurement
/// must be carried over to another communicator, another collective or reduction in the network,
/// which logs do not cover. The uncertainty is that of the measurement; if it comes from other
/// ranks, the links' uncertainty applies instead.
CollectiveCost measured_cost(CollectiveKind kind, Bytes payload, const Communicator& c,
                             const MeasuredGroup::Measured& measured, bool in_network_reduction,
                             const Ramps& ramps) {
  const AnsweredBy by = measured.of ? AnsweredBy::AllReduce : AnsweredBy::Table;
  const CurveAnswer answer = measured.curve.at(payload);
  const bool is_far = answer.beyond > far_beyond;
  const auto there = [&](Bytes size) {
    return choose(measured.of.value_or(kind), size, measured.on ? *measured.on : c, false, ramps)
        .time;
  };
  Seconds time = time_by(measured.curve, payload, there);
  if (!measured.on) time *= deviated(answer, c.measured_deviation);
  if (!measured.on && !measured.of && !in_network_reduction)
    return {{time, answer.basis}, {kind, c.ranks, by, false, is_far}};
  const Choice here = choose(kind, payload, c, in_network_reduction, ramps);
  return {{time * (here.time / there(payload)), weakest(answer.basis, Basis::Extrapolated)},
          {kind, c.ranks, by, is_in_network(here, c, in_network_reduction), is_far}};
}

}  // namespace

CollectiveCost collective_cost(CollectiveKind kind, Bytes payload, const Communicator& communicator,
                               bool in_network_reduction, const Ramps& ramps) {
  if (communicator.ranks <= 1 || payload.base() <= 0) return {};
  const auto* measured =
      communicator.measured != nullptr ? communicator.measured->find(kind) : nullptr;
  if (measured != nullptr)
    return measured_cost(kind, payload, communicator, *measured, in_network_reduction, ramps);
  const Choice choice = choose(kind, payload, communicator, in_network_reduction, ramps);
  return {{choice.time + staging_time(payload, communicator), communicator.basis},
          {kind, communicator.ranks, AnsweredBy::Formula,
           is_in_network(choice, communicator, in_network_reduction)}};
}

}  // namespace collectives
}  // namespace tofn
