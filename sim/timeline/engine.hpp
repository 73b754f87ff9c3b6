#pragma once

#include <array>
#include <limits>
#include <optional>
#include <vector>

#include "sim/timeline/rank.hpp"

namespace tofn {
inline namespace timeline {

/// Runs the ranks of a pipeline, each as far as its inputs have come. Orders are fixed and every
/// time follows from earlier ones, so that whose turn it is does not matter to the result.
class Engine {
 public:
  /// Of the step's micro-batches so many.
  Engine(const StepWork&, int micro_batches, std::vector<Span>* spans = nullptr);

  /// Marks each rank as it comes to the first chunk's forward pass of these micro-batches: `first`,
  /// `every` so many on, and `last`.
  void mark(int first, int every, int last);
  /// To the end of the step. False where it stopped before, since it would end after `limit` with
  /// all of the step's micro-batches.
  bool run(Seconds limit = Seconds{std::numeric_limits<double>::infinity()});
  /// One per stage, its step done.
  const std::vector<Rank>& ranks() const { return ranks_; }

  /// How many marks before the last one all was as it was then, but for the time: what follows was
  /// then decided by that alone, so that rounds repeat. Absent where at none.
  std::optional<int> repeated_marks() const;
  /// As if the rounds between the last mark and so many marks before it came so many times more.
  void repeat(int marks, double times);

 private:
  struct Arrival {
    Seconds time{-1};
    int span = -1;
  };
  /// A rank at a mark, and where it is in its order.
  struct Mark {
    Rank rank;
    std::size_t place = 0;
    std::size_t gather_ahead = 0;  ///< passes to that of the next gather, if one is to come
    std::size_t gather_layer = 0;
    int gather_repeat = 0;
  };
  /// Where a stage is in its order, and which gather it has queued.
  struct Progress {
    std::vector<Pass> order;
    std::size_t next = 0;
    std::size_t gather_pass = 0;  ///< the next gather is at or after these
    std::size_t gather_layer = 0;
    int gather_repeat = 0;
    std::size_t awaited = nothing;  ///< the arrival that it stands still for
    Seconds left{};                 ///< of all its passes and what follows, without traffic
    std::vector<Mark> marks{};
  };
  static constexpr auto nothing = static_cast<std::size_t>(-1);

  /// All passes of one kind of one chunk of a stage.
  struct Lane {
    const ChunkTimes* chunk = nullptr;
    std::array<PassTimes, 4> alone{};  ///< [whole][paired]
    std::size_t first_arrival = 0;     ///< of micro-batch 0; its others follow
    bool receives = false;
    Seconds receive_time{};            ///< that what it receives travels
    int receiver = -1;                 ///< stage that what it makes goes to; none: -1
    std::size_t receiver_arrival = 0;  ///< there, of micro-batch 0
    Seconds send{};
  };

  void add_stage(int stage);
  void add_lane(int stage, int chunk, PassKind);
  void add_alone(Lane&, PassKind) const;
  Seconds least_time(int stage) const;
  void run_stage(int stage);
  void mark_rank(int stage, const Pass&);
  /// False where the input has not come; the stage then awaits it.
  bool has_input(int stage, const Pass&);
  void take_input(int stage, const Pass&);
  void run_pass(int stage, const Pass&);
  void hand_on(int stage, std::size_t place);
  void run_layers(int stage, const Pass&);
  bool queue_next_gather(int stage);
  void hand_over(int stage, const Pass&);
  bool gathers(const Pass&) const;
  bool reduces(const Pass&) const;
  std::size_t lane_index(int stage, int chunk, PassKind) const;
  const Lane& lane(int stage, const Pass& pass) const {
    return lanes_[lane_index(stage, pass.chunk, pass.kind)];
  }
  int last_virtual_stage() const { return shape_.stages * shape_.chunks - 1; }
  const PassTimes& alone(int stage, const Pass& pass) const {
    return lane(stage, pass).alone[(pass.whole ? 2U : 0U) + (pass.paired ? 1U : 0U)];
  }
  LayerPass times_of(const LayerTimes&, const Pass&) const;
  bool is_repeated(std::size_t marks) const;
  std::vector<int> done_at(int stage, std::size_t place) const;
  bool has_repeated_arrivals(std::size_t marks, Seconds period, Seconds room) const;
  const Mark& mark_before_last(int stage, std::size_t marks) const {
    const std::vector<Mark>& all = progress_[static_cast<std::size_t>(stage)].marks;
    return all[all.size() - 1 - marks];
  }

  const StepWork& work_;
  PipelineShape shape_;
  ChunkPlacement placement_;
  RankSettings settings_;
  Seconds limit_;
  bool is_stopped_ = false;
  int first_mark_ = 0;
  int every_mark_ = 0;
  int last_mark_ = -1;
  std::vector<Rank> ranks_;
  std::vector<Progress> progress_;
  std::vector<Lane> lanes_;        ///< [stage][chunk][kind]
  std::vector<Arrival> arrivals_;  ///< [kind][stage][chunk][micro-batch]
  std::vector<int> ready_;         ///< stages that can go on
};

}  // namespace timeline
}  // namespace tofn
