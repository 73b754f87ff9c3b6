#pragma once

#include <span>
#include <vector>

#include "sim/timeline/pass.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace timeline {

/// Settings of a step that every rank runs under.
struct RankSettings {
  Slowdown slowdown;
  bool data_overlap = true;
  bool split = false;
  std::vector<Span>* spans = nullptr;  ///< records here; null: records nothing
};

/// The streams of one rank. Each stream runs its work in the order given, so that the times of a
/// collective are known when it is queued, and so is the time that passes lose to overlapped
/// collectives.
class Rank {
 public:
  Rank(int stage, const RankSettings& settings) : settings_(settings), stage_(stage) {}

  /// Makes compute wait for an input that took `send` to travel.
  void wait_for_input(Seconds arrival, Seconds send, int cause);
  /// Runs a pass over a whole chunk at once, which requires an idle data stream.
  void run(const PassTimes&);
  /// Runs one layer, which waits for the gather queued for it. `next` is called when the layer
  /// starts, and queues the next gather.
  template <class Next>
  void run(const LayerPass&, const Span& label, bool gathers, bool reduces, const Next& next);
  /// Queues a gather, which may start from now on, on the data stream.
  void queue_gather(Seconds length, const Span& label);
  /// Sends the output that is ready now; returns the time at which it arrives.
  Seconds send(Seconds length, const Span& label);
  int send_span() const { return last_send_; }
  void wait_for_send();
  /// Runs what follows the last pass: gradients still under way, `after` and the optimizer.
  void finish(Seconds after, Seconds optimizer);

  bool data_is_idle() const { return data_free_ <= now_; }
  Seconds now() const { return now_; }
  int last_span() const { return last_; }

  /// True if this rank is in the state of `earlier`, including the traffic of its streams, only
  /// `by` later, within `room`.
  bool is_later(const Rank& earlier, Seconds by, Seconds room) const;
  /// Adds `times` times the activity between `from` and `to`.
  void repeat(double times, const Rank& from, const Rank& to);

  PartTimes parts{};      ///< without waiting for other stages
  Seconds waiting;        ///< for other stages, beyond their sends
  Seconds communication;  ///< exposed or not

 private:
  struct Interval {
    Seconds start, finish;
  };
  void wait_for_gather();
  std::span<const Interval> pending_data() const;
  /// Time that the device is busy with an idle data stream, and the time that data traffic adds.
  struct Busy {
    Seconds alone, added;
  };
  Busy compute(const LayerPass&, const Span& label);
  void run_pass(const LayerPass&, const Span& label);
  Seconds compute_overlapped(const Phase&);
  Interval queue(Seconds length, const Span& label);
  void stand(Seconds length, StepPart, Stream, const Span& label);
  int record(Stream, StepPart, Seconds start, Seconds finish, int cause, const Span& label) const;

  const RankSettings& settings_;
  int stage_ = 0;
  Seconds now_, data_free_, send_free_;
  std::vector<Interval> data_;  ///< when the data stream is busy; adjacent intervals are joined
  std::size_t first_ = 0;       ///< first of `data_` that may end later than now
  int last_ = -1;               ///< span that ended now; the next two: of the other streams
  int last_data_ = -1;
  int last_send_ = -1;
  struct Gather {
    Seconds finish;
    int span = -1;
  };
  std::span<const Gather> pending_gathers() const {
    return std::span(gathers_).subspan(next_gather_);
  }
  std::vector<Gather> gathers_;  ///< in the order in which layers wait for them
  std::size_t next_gather_ = 0;
};

template <class Next>
void Rank::run(const LayerPass& pass, const Span& label, bool gathers, bool reduces,
               const Next& next) {
  const bool gathered = gathers && pass.gather > Seconds{};
  if (gathered && settings_.data_overlap) {
    wait_for_gather();
    next();
  } else if (gathered) {
    communication += pass.gather;
    stand(pass.gather, StepPart::Data, Stream::Data, label);
  }
  run_pass(pass, label);
  if (!reduces || pass.reduce <= Seconds{}) return;
  if (settings_.data_overlap) {
    queue(pass.reduce, label);
  } else {
    communication += pass.reduce;
    stand(pass.reduce, StepPart::Data, Stream::Data, label);
  }
}

}  // namespace timeline
}  // namespace tofn
