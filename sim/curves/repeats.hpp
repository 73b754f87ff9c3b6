#pragma once

#include <vector>

#include "sim/core/quantity.hpp"
#include "sim/core/statistics.hpp"
#include "sim/curves/collective_table.hpp"

namespace tofn {
inline namespace curves {

/// A size that several jobs measured.
struct RepeatedSize {
  Bytes size;
  std::vector<double> seconds;  ///< one time per job, in the order of the tables
  double median = 0;            ///< of `seconds`
  Interval another;             ///< 95 % interval of another job's time
};

/// A measurement that several jobs repeated: everything but the file is equal, and a file has only
/// one such table.
struct RepeatedTable {
  std::vector<const CollectiveTable*> tables;
  std::vector<RepeatedSize> sizes;  ///< sizes that all of them have
  int foretold = 0;  ///< times inside the interval of the two or more jobs before them
  int request = 0;   ///< times with two or more jobs before them
};

/// Finds repeated tables, with intervals from Student's t of the logarithms of the jobs' times.
/// Differences between jobs, such as in their cores and links, cannot be in the interval of a
/// single one.
std::vector<RepeatedTable> repeats_among(const std::vector<const CollectiveTable*>& tables);

}  // namespace curves
}  // namespace tofn
