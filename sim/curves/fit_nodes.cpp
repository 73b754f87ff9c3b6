#include "sim/curves/fit_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/core/statistics.hpp"

namespace tofn {
inline namespace curves {

namespace {

// Priors for counts beyond the measured ones. The uncertainty grows with the number of doublings
// and with the increase by the law, and rows that are uncertain become more so.
constexpr double per_doubling = 0.2;
constexpr double growth_share = 0.75;
constexpr double carried_share = 1.5;
// One table does not show the growth: assume anything from none to twice the time per doubling.
constexpr double unknown_growth = 0.7;
// Uncertainty between two measured counts, as a share of their difference.
constexpr double between_share = 0.25;

using Column = std::vector<std::pair<int, const CurveFit*>>;

/// Counts that determine the growth: without one node, which is a tier of its own, if there are
/// enough others.
Column tier_of(const std::map<int, CurveFit>& measured) {
  Column tier;
  for (const auto& [nodes, fit] : measured) tier.emplace_back(nodes, &fit);
  if (tier.size() > 2 && tier.front().first == 1) tier.erase(tier.begin());
  return tier;
}

/// Slope of t = c0 + c1 log2(nodes) at a point, as a share of t on the most nodes and at least 0.
/// Least squares of relative errors, each count weighted by its nodes, because the near ones are
/// the most relevant.
double slope_at(const Column& tier, std::size_t point) {
  const auto time = [&](const CurveFit& fit) { return std::exp(fit.curve.table()[point].time); };
  double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0;
  const double last = time(*tier.back().second);
  for (const auto& [nodes, fit] : tier) {
    const double y = time(*fit) / last;
    const double weight = std::pow(nodes / y, 2);
    const double x = std::log2(nodes);
    w += weight, wx += weight * x, wy += weight * y, wxx += weight * x * x, wxy += weight * x * y;
  }
  return std::max(0.0, (w * wxy - wx * wy) / (w * wxx - wx * wx));
}

/// Running median over five octaves, then a 1-2-1 mean, because slopes of single rows are noise.
std::vector<double> smoothed(const std::vector<double>& values) {
  const int size = static_cast<int>(values.size());
  const int octave = CostCurve::steps_per_octave;
  const auto value = [size](const std::vector<double>& from, int i) {
    return from[static_cast<std::size_t>(std::clamp(i, 0, size - 1))];
  };
  std::vector<double> middle;
  for (int i = 0; i < size; ++i) {
    std::vector<double> window;
    for (int k = -2; k <= 2; ++k) window.push_back(value(values, i + k * octave));
    middle.push_back(median(window));
  }
  std::vector<double> result;
  for (int i = 0; i < size; ++i) {
    result.push_back(
        (value(middle, i - octave) + 2 * value(middle, i) + value(middle, i + octave)) / 4);
  }
  return result;
}

std::vector<double> growth_of(const std::map<int, CurveFit>& measured) {
  const Column tier = tier_of(measured);
  if (tier.size() < 2) return {};
  std::vector<double> slopes;
  for (std::size_t i = 0; i < CostCurve::points; ++i) slopes.push_back(slope_at(tier, i));
  std::vector<double> growth = smoothed(slopes);
  const auto last = tier.back().second->curve.table();
  for (std::size_t i = 0; i < growth.size(); ++i) growth[i] *= std::exp(last[i].time);
  return growth;
}

std::vector<double> sizes_of(const CostCurve& curve) {
  return {curve.measured().begin(), curve.measured().end()};
}

CostCurve between(const CostCurve& lower, const CostCurve& upper, double share) {
  std::vector<CurvePoint> points;
  for (std::size_t i = 0; i < lower.table().size(); ++i) {
    const CurvePoint a = lower.table()[i];
    const CurvePoint b = upper.table()[i];
    const double time = (1 - share) * std::exp(a.time) + share * std::exp(b.time);
    const double bulge = 4 * share * (1 - share) * between_share * (b.time - a.time);
    points.push_back({std::log(time), std::hypot((1 - share) * a.width + share * b.width, bulge)});
  }
  return {std::move(points), sizes_of(upper), Basis::Interpolated};
}

/// Curve extrapolated from the nearest measured count by `doublings` (below 0: fewer nodes).
CostCurve beyond(const CostCurve& nearest, const std::vector<double>& growth, double doublings) {
  std::vector<CurvePoint> points;
  for (std::size_t i = 0; i < nearest.table().size(); ++i) {
    const CurvePoint from = nearest.table()[i];
    const double base = std::exp(from.time);
    const double added = growth.empty() ? 0 : doublings * growth[i];
    // Half of the nodes never take less than half of the time.
    const double time =
        std::log(std::max(base + added, base * std::exp2(std::min(doublings, 0.0))));
    const double step = growth.empty() ? unknown_growth : per_doubling;
    const double unknown = std::hypot(step * doublings, growth_share * (time - from.time));
    points.push_back({time, std::hypot(carried_share * from.width, unknown)});
  }
  return {std::move(points), sizes_of(nearest), Basis::Extrapolated,
          std::exp2(std::abs(doublings))};
}

void check(const CollectiveTable& table, const CollectiveTable& first) {
  const Location where{table.file};
  if (table.nodes < 1 || table.ranks < table.nodes || table.ranks % table.nodes != 0) {
    throw InputError(where, "nodes",
                     fmt::format("{} ranks on {} nodes: must be the same count on "
                                 "each node",
                                 table.ranks, table.nodes));
  }
  if (table.collective != first.collective) {
    throw InputError(where, "collective", "differs from that of the other tables");
  }
  if (table.ranks / table.nodes != first.ranks / first.nodes) {
    throw InputError(where, "ranks",
                     fmt::format("{} per node, but {} in {}", table.ranks / table.nodes,
                                 first.ranks / first.nodes, first.file));
  }
}

std::vector<std::string> warnings_of(const std::map<int, CurveFit>& measured) {
  const int most = measured.rbegin()->first;
  if (measured.size() == 1) {
    return {fmt::format("only {} node(s) measured: other node counts are a guess", most)};
  }
  if (most <= 2) {
    return {
        "at most 2 nodes measured: one node is a tier of its own and 2 nodes are special, so "
        "more nodes are a guess; measure 4"};
  }
  return {};
}

}  // namespace

CostCurve NodesFit::curve(int nodes) const {
  const auto upper = measured.lower_bound(nodes);
  if (upper == measured.end()) {
    const auto& [most, fit] = *measured.rbegin();
    return beyond(fit.curve, growth, std::log2(static_cast<double>(nodes) / most));
  }
  if (upper->first == nodes) return upper->second.curve;
  if (upper == measured.begin()) {
    return beyond(upper->second.curve, growth,
                  std::log2(static_cast<double>(nodes) / upper->first));
  }
  const auto& [fewer, lower] = *std::prev(upper);
  const double share = std::log2(static_cast<double>(nodes) / fewer) /
                       std::log2(static_cast<double>(upper->first) / fewer);
  return between(lower.curve, upper->second.curve, share);
}

NodesFit fit_nodes(std::span<const CollectiveTable> tables) {
  if (tables.empty()) throw InputError("no table to fit node counts to");
  NodesFit fit;
  for (const CollectiveTable& table : tables) {
    check(table, tables.front());
    if (!fit.measured.emplace(table.nodes, fit_curve(table)).second) {
      throw InputError({table.file}, "nodes", fmt::format("{}: measured twice", table.nodes));
    }
  }
  fit.ranks_per_node = tables.front().ranks / tables.front().nodes;
  fit.collective = tables.front().collective;
  fit.growth = growth_of(fit.measured);
  fit.warnings = warnings_of(fit.measured);
  return fit;
}

}  // namespace curves
}  // namespace tofn
