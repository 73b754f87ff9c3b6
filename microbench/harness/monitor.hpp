#pragma once

#include "sim/core/record.hpp"

namespace tofn::bench {

/// Watches clocks, power and temperature of this rank's device during a measurement.
class Monitor {
 public:
  virtual ~Monitor() = default;
  virtual void start() = 0;
  virtual void stop() = 0;
  /// Readings between start and stop, over all visits since the last take. A name that ends in
  /// `_lowest` or `_highest` is combined over ranks accordingly; every rank has the same names.
  virtual RecordFigures take() = 0;
};

}  // namespace tofn::bench
