#pragma once

#include <chrono>
#include <optional>

namespace tofn::bench {

/// Seconds that a number of calls took on this rank.
struct Elapsed {
  double host = 0;               ///< from before the first call until the last one's work is done
  std::optional<double> device;  ///< the same between events on the device, where it ran on one
};

/// Something that can be timed.
class Timed {
 public:
  virtual ~Timed() = default;
  /// Runs `calls` back to back and returns when their work is done.
  virtual Elapsed run(int calls) = 0;
};

inline double host_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Host seconds that `work` takes.
template <class Work>
double host_seconds_of(Work work) {
  const double start = host_seconds();
  work();
  return host_seconds() - start;
}

}  // namespace tofn::bench
