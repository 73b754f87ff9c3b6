#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/core/random.hpp"

// The one way to sample: how many samples, which random numbers, and which interval.

namespace tofn {

/// Number of samples of every figure: a chance of 0.9 is within 0.007.
inline constexpr std::size_t sample_count = 2000;
/// Seed of the samples if the user states none.
inline constexpr std::uint64_t default_seed = 1;

/// Streams of random numbers, which runs share, so that two runs do not differ by chance. Links and
/// sites differ by cluster; software, overruns and the luck of benchmarks do not.
enum class DrawStream : std::uint64_t {
  Links = 0,
  Software = 1,
  Overrun = 2,
  Site = 3,
  Benchmark = 4,
  CriticalBatch = 5
};

/// Random numbers of one stream, sample after sample. Every second sample mirrors the one before
/// (antithetic variates), so that medians stay in the middle.
class CommonDraws {
 public:
  /// `cluster`: name of the cluster that the stream belongs to; empty if it is shared by all.
  CommonDraws(DrawStream stream, std::uint64_t seed, std::string_view cluster = {});

  /// Begins the next sample, whose numbers are asked for in the order of the sample before.
  void next();
  /// Standard normal number.
  double normal();
  /// Uniform number in (0, 1).
  double uniform();

 private:
  enum class Kind : bool { Normal, Uniform };
  double number(Kind kind);

  Random random_;
  std::vector<double> numbers_{};  ///< of the sample that the next one mirrors
  std::size_t used_ = 0;
  bool mirrors_ = true;
};

}  // namespace tofn
