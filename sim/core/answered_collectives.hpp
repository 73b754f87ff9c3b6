#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <vector>

#include "sim/core/collective_kind.hpp"
#include "sim/core/cost.hpp"

namespace tofn {

/// Source of a collective's time: a measured table of its own, one of all-reduce, or the formulas.
enum class AnsweredBy { Table, AllReduce, Formula };

/// A collective over a number of ranks, with what answered it.
struct AnsweredCollective {
  CollectiveKind kind{};
  int ranks = 1;  ///< one rank requests nothing
  AnsweredBy by = AnsweredBy::Formula;
  bool in_network = false;  ///< true if the network's switches reduce, as requested
  bool is_far = false;      ///< its message is far outside the sizes or nodes of its table

  auto operator<=>(const AnsweredCollective&) const = default;
};

/// Cost of one collective, with what answered it.
struct CollectiveCost : Cost {
  AnsweredCollective collective{};
};

/// The collectives of a step with what answered them, in order and each once.
class AnsweredCollectives {
 public:
  void add(const AnsweredCollective& one) {
    if (one.ranks <= 1) return;
    const auto place = std::lower_bound(each_.begin(), each_.end(), one);
    if (place == each_.end() || *place != one) each_.insert(place, one);
  }
  void add(const AnsweredCollectives& others) {
    for (const AnsweredCollective& each : others.each_) add(each);
  }
  /// Adds a collective, and returns its time.
  Seconds time_of(const CollectiveCost& cost) {
    add(cost.collective);
    return cost.time;
  }

  /// Makes room for this many collectives, so that adding them allocates nothing.
  void reserve(std::size_t collectives) { each_.reserve(collectives); }

  auto begin() const { return each_.begin(); }
  auto end() const { return each_.end(); }

 private:
  std::vector<AnsweredCollective> each_;
};

}  // namespace tofn
