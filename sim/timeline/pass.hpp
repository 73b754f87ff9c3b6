#pragma once

#include "sim/timeline/schedule.hpp"

namespace tofn {

/// What a pass of that kind does of one layer. `split` schedules run weight gradients apart, and
/// gradients leave after those.
LayerPass part_of(const LayerTimes&, PassKind, bool split);

Seconds sum(const std::array<Seconds, 3>&);

/// The seconds that compute and the exchanges beside it take, and how many of them are left of the
/// exchanges once compute is done. Compute loses `slowdown` of the time that it is overlapped, so
/// that with 1 nothing is gained and with 0 the shorter one is free.
struct Overlap {
  Seconds length;
  Seconds tail;
};
Overlap overlap(Seconds compute, Seconds beside, double slowdown);

/// Books exchanges that ran beside compute one after another and outlasted it by `tail`: what they
/// cost is that tail, and what compute lost to the rest.
void book_beside(PartTimes&, const std::array<Seconds, 3>& beside, Seconds tail, double slowdown);

inline Seconds& part(PartTimes& parts, StepPart which) {
  return parts[static_cast<std::size_t>(which)];
}
inline Seconds part(const PartTimes& parts, StepPart which) {
  return parts[static_cast<std::size_t>(which)];
}
Seconds sum(const PartTimes&);

/// The part that the i-th of a pass's exchanges belongs to.
inline constexpr std::array exchange_parts{StepPart::Tensor, StepPart::Context, StepPart::Expert};

/// One pass over a chunk on a rank whose data stream is idle.
struct PassTimes {
  Seconds length;
  PartTimes parts{};
  Seconds communication;
  Seconds gather;  ///< not in `length`: of all its layers
  Seconds reduce;
};
PassTimes undisturbed(const ChunkTimes&, PassKind, bool split, double slowdown);

}  // namespace tofn
