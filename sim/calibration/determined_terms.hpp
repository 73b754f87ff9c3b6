#pragma once

#include <span>
#include <string>

#include "sim/training/observation.hpp"

// Which terms of a step a set of observations tells apart.

namespace tofn {
inline namespace calibration {

/// The step profile that an observation is of; empty: a published run.
std::string profile_of(const Observation&);

/// Whether two runs of one release differ in their samples a pass by enough to tell their work from
/// what every pass pays.
bool batches_differ(const Observation&, const Observation&);

/// True where the batches per pass of one release differ enough to tell overhead from arithmetic:
/// of three runs, since servers differ, or of two on one machine.
bool overhead_is_determined(std::span<const Observation* const>);
/// True where one release has runs with tensor-parallel overlap and runs without.
bool overlap_loss_is_determined(std::span<const Observation* const>);
/// True where one release has runs with context parallelism and runs without, else split alike.
bool context_loss_is_determined(std::span<const Observation* const>);

}  // namespace calibration
}  // namespace tofn
