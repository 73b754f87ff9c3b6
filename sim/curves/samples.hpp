#pragma once

#include <string>
#include <vector>

#include "sim/measurements/collective_table.hpp"

namespace tofn {
inline namespace curves {

/// What a fit has to say of one row of the table.
struct Remark {
  int line = 0;      ///< in the table's file; 0: not known
  std::string text;  ///< `line 17: 256 B took 94.4 us out of place, ...`
};

/// One measured size of a table, its repeats brought to their median.
struct Sample {
  double size = 0;  ///< bytes
  double time = 0;  ///< seconds, the smaller of out-of-place and in-place
};

struct Samples {
  std::vector<Sample> sound;   ///< sizes ascend
  std::vector<Sample> spikes;  ///< far above both neighbours: they bend no curve
  std::vector<Remark> remarks;
};

/// InputError without rows, or at a size or time that is not positive.
Samples samples_of(const CollectiveTable& table);

}  // namespace curves
}  // namespace tofn
