#pragma once

#include <vector>

#include "sim/calibration/calibration.hpp"
#include "sim/core/error.hpp"
#include "sim/training/run.hpp"

namespace tofn {
inline namespace calibration {

/// Batches whose samples to target are known.
std::vector<double> known_batches(const Calibration&, const Workload&);

/// A known batch if `unit` divides it, else its neighbours that `unit` divides.
std::vector<double> even_batches(double batch, double unit, const std::vector<double>& known);

/// True for 1, 2, 3 ...
bool is_whole(double value);

/// InputError with the nearest batches that split evenly.
[[noreturn]] void refuse_batch(double batch, int replicas, int accumulation);

InputError no_known_batch(const Workload&);

/// Seconds of the run, or of one sample if the number of samples is unknown.
double expected_seconds(const Run&);

}  // namespace calibration
}  // namespace tofn
