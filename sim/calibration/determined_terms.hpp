#pragma once

#include <span>
#include <string>

#include "sim/training/run.hpp"

// Tests of which terms of a step a set of observations determines.

namespace tofn {
inline namespace calibration {

/// Name of the step profile that an observation belongs to; empty for a published run.
std::string profile_of(const Observation&);

/// True if two runs of one release differ enough in samples per pass to separate their work from
/// the overhead of every pass.
bool batches_differ(const Observation&, const Observation&);

/// True if the batches per pass of one release differ enough to separate overhead from arithmetic:
/// three runs, because servers differ, or two on one machine.
bool overhead_is_determined(std::span<const Observation* const>);
/// True if one release has runs with tensor-parallel overlap and runs without.
bool overlap_loss_is_determined(std::span<const Observation* const>);
/// True if one release has runs with context parallelism and runs without, otherwise split alike.
bool context_loss_is_determined(std::span<const Observation* const>);

}  // namespace calibration
}  // namespace tofn
