#pragma once

#include <string>
#include <vector>

#include "sim/curves/collective_table.hpp"

namespace tofn {
inline namespace curves {

/// A fit's remark on one row of the table.
struct Remark {
  int line = 0;      ///< in the table's file; 0 if unknown
  std::string text;  ///< `line 17: 256 B took 94.4 us out of place, ...`
};

/// One measured size of a table, with the median of its repeats.
struct Sample {
  double size = 0;  ///< bytes
  double time = 0;  ///< seconds, the smaller of out-of-place and in-place
};

struct Samples {
  std::vector<Sample> sound;   ///< sizes ascend
  std::vector<Sample> spikes;  ///< far above both neighbours: left out of the curve
  std::vector<Remark> remarks;
};

/// Samples of a table. InputError without rows, or at a size or time that is not positive.
Samples samples_of(const CollectiveTable& table);

}  // namespace curves
}  // namespace tofn
