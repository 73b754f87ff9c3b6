#pragma once

#include <algorithm>
#include <limits>

namespace tofn {
inline namespace cluster {

/// How many accelerators a job has, and the most that it uses of each scale-up domain. It fills the
/// domains in order; its last one may be in part another job's.
struct PlacedJob {
  int accelerators = 1;
  int per_domain = std::numeric_limits<int>::max();

  /// A bare count is a job that uses all of each domain.
  PlacedJob(int count, int of_each_domain = std::numeric_limits<int>::max())
      : accelerators(count), per_domain(of_each_domain) {}

  /// Of each domain of so many accelerators.
  int used_of(int domain) const { return std::min(per_domain, domain); }
  bool fits(int domain) const { return accelerators <= used_of(domain); }
};

}  // namespace cluster
}  // namespace tofn
