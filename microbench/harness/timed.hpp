#pragma once

#include <chrono>
#include <optional>

namespace tofn::bench {

/// Seconds of several calls on this rank.
struct Elapsed {
  double host = 0;               ///< from before the first call until the last one's work is done
  std::optional<double> device;  ///< between events on the device; absent if it ran on none
};

/// Work that can be timed.
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
