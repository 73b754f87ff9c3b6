#pragma once

#include <vector>

#include "sim/core/quantity.hpp"
#include "sim/core/statistics.hpp"
#include "sim/measurements/collective_table.hpp"

namespace tofn {
inline namespace curves {

/// A size that several jobs measured.
struct RepeatedSize {
  Bytes size;
  std::vector<double> seconds;  ///< a time a job, in the order of the tables
  double median = 0;            ///< of them
  Interval another;             ///< where the time of another job lies, 95 times in 100
};

/// What several jobs measured alike: all but the file is equal, and a file has one such table.
struct RepeatedTable {
  std::vector<const CollectiveTable*> tables;
  std::vector<RepeatedSize> sizes;  ///< those that each of them has
  int foretold = 0;  ///< times that lie in the interval of the jobs before them, two or more
  int asked = 0;     ///< times that have two jobs before them
};

/// Student's t of the logarithms of the jobs' times. What differs between jobs, as the cores and
/// links that they got, no interval of a single one can know.
std::vector<RepeatedTable> repeats_among(const std::vector<const CollectiveTable*>& tables);

}  // namespace curves
}  // namespace tofn
