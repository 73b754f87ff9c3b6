#include "sim/core/bus_factor.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <vector>

namespace tofn {
namespace {

/// An operation and how often each byte crosses the busiest link, in units of (n-1)/n; 0: once for
/// any n.
struct Operation {
  std::string_view name;
  int passes;
};
constexpr std::array operations{
    Operation{"all-reduce", 2},        Operation{"reduce-scatter", 1},
    Operation{"all-gather", 1},        Operation{"broadcast", 0},
    Operation{"all-to-all", 1},        Operation{"send-receive-ring", 0},
    Operation{"send-receive-pairs", 0}};

}  // namespace

std::optional<double> bus_factor(std::string_view operation, int ranks) {
  assert(ranks >= 1);
  const auto* const found = std::ranges::find(operations, operation, &Operation::name);
  if (found == operations.end()) return std::nullopt;
  if (found->passes == 0) return 1.0;
  return found->passes * (ranks - 1.0) / ranks;
}

std::span<const std::string> bus_operations() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Operation& operation : operations) all.emplace_back(operation.name);
    return all;
  }();
  return names;
}

}  // namespace tofn
