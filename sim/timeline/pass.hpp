#pragma once

#include "sim/timeline/schedule.hpp"

namespace tofn {
inline namespace timeline {

/// Work of a pass of that kind on one layer. Schedules that `split` run weight gradients
/// separately, and gradients are reduced after those.
LayerPass part_of(const LayerTimes&, PassKind, bool split);

/// Work of the same pass as part of a pair: a forward and a backward pass that hide each other's
/// expert exchanges. Each pass gets the share of both passes' exchanges that it has of their
/// compute, so that the two take as long as the pair.
LayerPass paired_part_of(const LayerTimes&, PassKind, bool split);

Seconds sum(const std::array<Seconds, 3>&);

/// Step part of the i-th exchange of a pass.
inline constexpr std::array exchange_parts{StepPart::Tensor, StepPart::Context, StepPart::Expert};
inline constexpr std::size_t ring_exchange = 1;
inline constexpr std::size_t expert_exchange = 2;

/// Kernels and the exchanges that overlap them: attention with the context ring, then the other
/// kernels with the other exchanges. Compute loses `slowdown` of the time in which exchanges
/// overlap it.
struct Phase {
  Seconds compute;
  Seconds exchange;
  double slowdown = 0;
};
std::array<Phase, 2> phases_of(const LayerPass&, const Slowdown&);

/// Time that compute takes from now if exchanges overlap it for `exchange` and data traffic for
/// `data`; it runs at 1 - `slowdown` of its pace while either lasts.
Seconds compute_length(const Phase&, Seconds data, double data_slowdown);

/// Time that the host adds to a pass that keeps the device busy for `device`: a pass lasts at least
/// as long as the host needs to launch it.
Seconds launch_beyond(const LayerPass&, Seconds device);

/// Time of one layer on a rank if data traffic overlaps it for `data`.
Seconds layer_length(const LayerPass&, Seconds data, const Slowdown&);

/// Time by which the exchanges of each phase outlast its kernels, without data traffic.
using Tails = std::array<Seconds, 2>;

/// Adds the cost of exchanges that overlapped compute one after another and outlasted it by
/// `tails`: the tail, and the time that compute lost to the rest.
void book_overlapped(PartTimes&, const std::array<Seconds, 3>& overlapped, const Tails&,
                     const Slowdown&);

Seconds sum(const PartTimes&);

/// One pass over a chunk on a rank whose data stream is idle.
struct PassTimes {
  Seconds length;
  PartTimes parts{};
  Seconds communication;
  Seconds gather;  ///< of all layers, like `reduce`; `length` includes neither
  Seconds reduce;
};
PassTimes undisturbed(const ChunkTimes&, PassKind, bool split, const Slowdown&,
                      bool paired = false);

}  // namespace timeline
}  // namespace tofn
