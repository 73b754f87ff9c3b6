#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sim/core/rows.hpp"

namespace tofn {
inline namespace sweep {

/// A point that may be kept. Smaller goals are better.
struct Candidate {
  std::vector<Value> apart;  ///< points with different values do not compete
  std::vector<double> goals;
  std::uint64_t point = 0;
};

/// Keeps the best `top` points of each group by the only goal or, with `top` 0, the Pareto front:
/// the points that no other one beats in one goal while being as good in all. Among equals the
/// lower point comes first, so that the result does not depend on the order of adding.
class Selector {
 public:
  explicit Selector(std::size_t top) : top_(top) {}

  void add(Candidate);
  /// Candidates in order of group, then first goal, then point.
  std::vector<Candidate> kept() const;

 private:
  void add_to_top(std::vector<Candidate>& kept, Candidate) const;

  std::size_t top_;
  std::map<std::vector<Value>, std::vector<Candidate>> groups_;
};

}  // namespace sweep
}  // namespace tofn
