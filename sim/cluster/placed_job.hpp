#pragma once

#include <algorithm>
#include <limits>

namespace tofn {
inline namespace cluster {

/// Number of a job's accelerators, and the most that it uses of each scale-up domain. It
/// takes as few domains as hold it, and its last one may be shared with another job.
struct PlacedJob {
  int accelerators = 1;
  int per_domain = std::numeric_limits<int>::max();

  /// Converts a bare count to a job that uses all of each domain.
  PlacedJob(int count, int of_each_domain = std::numeric_limits<int>::max())
      : accelerators(count), per_domain(of_each_domain) {}

  /// Accelerators that it uses of each domain of this size.
  int used_of(int domain) const { return std::min(per_domain, domain); }
  bool fits(int domain) const { return accelerators <= used_of(domain); }
};

}  // namespace cluster
}  // namespace tofn
