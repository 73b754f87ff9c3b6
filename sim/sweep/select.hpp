#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sim/core/rows.hpp"

namespace tofn {
inline namespace sweep {

/// A point that may be kept: `goals` are all to be small.
struct Candidate {
  std::vector<Value> apart;  ///< points of different ones do not compete
  std::vector<double> goals;
  std::uint64_t point = 0;
};

/// Keeps the first `top` of each group by the only goal, or (with `top` 0) the Pareto front: those
/// that no other is as good as in all goals and better in one. Of equals the lower point comes
/// first, so that the result does not depend on the order of adding.
class Selector {
 public:
  explicit Selector(std::size_t top) : top_(top) {}

  void add(Candidate);
  /// By group, then by the first goal, then by point.
  std::vector<Candidate> kept() const;

 private:
  void add_to_top(std::vector<Candidate>& kept, Candidate) const;

  std::size_t top_;
  std::map<std::vector<Value>, std::vector<Candidate>> groups_;
};

}  // namespace sweep
}  // namespace tofn
