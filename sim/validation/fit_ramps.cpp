#include "sim/validation/fit_ramps.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/core/statistics.hpp"

namespace tofn {
inline namespace validation {
namespace {

constexpr std::array members{&Ramps::ll, &Ramps::ll128, &Ramps::simple, &Ramps::in_switch};

double loss(std::span<const PlacedTable> tables, const Ramps& ramps) {
  constexpr double most = 0.5;
  double sum = 0;
  for (const PlacedTable& placed : tables) {
    std::vector<double> errors = formula_errors(placed, ramps);
    for (double& error : errors) error = std::min(std::abs(error), most);
    sum += mean(errors);
  }
  return sum;
}

/// Multiplies and divides each ramp's height and place by `factor`; true if one change is better.
bool improve(std::span<const PlacedTable> tables, double factor, Ramps& best, double& least) {
  bool is_better = false;
  for (const auto member : members)
    for (const bool of_height : {true, false})
      for (const double by : {factor, 1 / factor}) {
        Ramps tried = best;
        if (of_height)
          (tried.*member).extra *= by;
        else
          (tried.*member).half *= by;
        const double now = loss(tables, tried);
        if (now >= least - 1e-6) continue;
        least = now;
        best = tried;
        is_better = true;
      }
  return is_better;
}

}  // namespace

Communicator placed_on(const Cluster& cluster, int ranks, int nodes) {
  const int per_node = cluster.accelerators_per_node.value;
  if (nodes < 1 || ranks % nodes != 0)
    throw InputError(fmt::format("{} ranks do not fill {} nodes evenly", ranks, nodes));
  const int used = ranks / nodes;
  if (used > per_node)
    throw InputError(fmt::format("{} ranks on a node, nodes of cluster {} have {} accelerators",
                                 used, cluster.name, per_node));
  // If ranks use a part of the node, they are spread over it, each beside the NICs of its
  // accelerator.
  const int stride = per_node % used == 0 ? per_node / used : 1;
  if (stride == 1 && used < per_node && nodes > 1)
    throw InputError(
        fmt::format("{} ranks on {} nodes of {} accelerators: over several nodes, only as many "
                    "on each as divide them are placed",
                    ranks, nodes, per_node));
  return place({.stride = stride, .count = ranks}, cluster, stride == 1 ? ranks : nodes * per_node);
}

std::vector<double> formula_errors(const PlacedTable& placed, const Ramps& ramps) {
  std::vector<double> errors;
  for (const CollectiveRow& row : placed.table->rows) {
    const Cost cost =
        collective_cost(placed.table->collective, row.size, placed.communicator, false, ramps);
    errors.push_back(std::log(cost.time / row.time()));
  }
  return errors;
}

Ramps fit_ramps(std::span<const PlacedTable> tables) {
  assert(!tables.empty());
  using namespace literals;
  // The start is that of a pipeline of a few chunks. Starts at 1/4 and 4 times of it give the same
  // result.
  Ramps best{.ll = {.extra = 3_us, .half = 8000_B},
             .ll128 = {.extra = 5_us, .half = 0.1_MB},
             .simple = {.extra = 30_us, .half = 20_MB},
             .in_switch = {.extra = 75_us, .half = 20_MB}};
  double least = loss(tables, best);
  constexpr double finest = 1.03;
  for (double factor = 2; factor > finest;)
    if (!improve(tables, factor, best, least)) factor = std::sqrt(factor);
  return best;
}

}  // namespace validation
}  // namespace tofn
