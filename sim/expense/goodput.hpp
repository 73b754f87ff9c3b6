#pragma once

#include "sim/core/quantity.hpp"

namespace tofn {
inline namespace expense {

/// Share of a run's time that trains where interruptions, restarts and checkpoints are the usual
/// ones, and between what sites that differ in them would be in nine of ten cases.
struct Goodput {
  double expected = 1;
  double low = 1;
  double high = 1;
};

/// `training`: of a run's steps, above 0.
Goodput usual_goodput(int accelerators, Seconds training);

}  // namespace expense
}  // namespace tofn
