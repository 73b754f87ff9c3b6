#pragma once

#include "sim/timeline/schedule.hpp"

namespace tofn {
inline namespace timeline {

/// What a pass of that kind does of one layer. `split` schedules run weight gradients apart, and
/// gradients leave after those.
LayerPass part_of(const LayerTimes&, PassKind, bool split);

/// The same in a pair of a forward and a backward pass that hide each other's exchanges of experts:
/// each takes the share of both passes' exchanges that it has of their compute, so that together
/// they take as long as the pair.
LayerPass paired_part_of(const LayerTimes&, PassKind, bool split);

Seconds sum(const std::array<Seconds, 3>&);

/// The part that the i-th of a pass's exchanges belongs to.
inline constexpr std::array exchange_parts{StepPart::Tensor, StepPart::Context, StepPart::Expert};
inline constexpr std::size_t ring_exchange = 1;
inline constexpr std::size_t expert_exchange = 2;

/// Kernels and the exchanges that overlap them: attention with the context ring, then the other
/// kernels with the rest. Compute loses `slowdown` of the time that exchanges overlap it.
struct Phase {
  Seconds compute;
  Seconds exchange;
  double slowdown = 0;
};
std::array<Phase, 2> phases_of(const LayerPass&, const Slowdown&);

/// How long compute takes that starts now, overlapped with exchanges for `exchange` and data
/// traffic for `data`, at 1 - `slowdown` of its pace while either lasts.
Seconds compute_length(const Phase&, Seconds data, double data_slowdown);

/// What the host adds to a pass that keeps the device busy for `device`: a pass lasts at least as
/// long as the host needs to launch it.
Seconds launch_beyond(const LayerPass&, Seconds device);

/// One layer on a rank, overlapped with data traffic that lasts `data`.
Seconds layer_length(const LayerPass&, Seconds data, const Slowdown&);

/// How much longer the exchanges of each phase last than its kernels, with no data traffic.
using Tails = std::array<Seconds, 2>;

/// Books exchanges that overlapped compute one after another and outlasted it by `tails`: what they
/// cost is that tail, and what compute lost to the rest.
void book_overlapped(PartTimes&, const std::array<Seconds, 3>& overlapped, const Tails&,
                     const Slowdown&);

Seconds sum(const PartTimes&);

/// One pass over a chunk on a rank whose data stream is idle.
struct PassTimes {
  Seconds length;
  PartTimes parts{};
  Seconds communication;
  Seconds gather;  ///< not in `length`: of all its layers
  Seconds reduce;
};
PassTimes undisturbed(const ChunkTimes&, PassKind, bool split, const Slowdown&,
                      bool paired = false);

}  // namespace timeline
}  // namespace tofn
