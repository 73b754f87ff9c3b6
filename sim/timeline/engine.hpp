#pragma once

#include <array>
#include <limits>
#include <optional>
#include <vector>

#include "sim/timeline/rank.hpp"

namespace tofn {
inline namespace timeline {

/// Runs the ranks of a pipeline, each as far as its inputs have arrived. Orders are fixed and every
/// time follows from earlier ones, so that the order in which ranks are run does not matter.
class Engine {
 public:
  /// Prepares a run of `micro_batches` micro-batches; `spans`, if set, receives its spans.
  Engine(const StepWork&, int micro_batches, std::vector<Span>* spans = nullptr);

  /// Marks each rank when it reaches the first chunk's forward pass of micro-batch `first`, of
  /// every `every`-th one after it, and of `last`.
  void mark(int first, int every, int last);
  /// Runs to the end of the step. Returns false if it stopped earlier, because the step with all of
  /// its micro-batches would end after `limit`.
  bool run(Seconds limit = Seconds{std::numeric_limits<double>::infinity()});
  /// Ranks at the end of the step, one per stage.
  const std::vector<Rank>& ranks() const { return ranks_; }

  /// Number of marks from the last one back to the nearest mark with the same state, apart from the
  /// time. All that follows depends on that state alone, so that rounds repeat. Absent if there is
  /// none.
  std::optional<int> repeated_marks() const;
  /// Adds `times` repetitions of the rounds between the last mark and the mark `marks` before it.
  void repeat(int marks, double times);

 private:
  struct Arrival {
    Seconds time{-1};
    int span = -1;
  };
  /// A rank at a mark, and its place in its order of passes.
  struct Mark {
    Rank rank;
    std::size_t place = 0;
    std::size_t gather_ahead = 0;  ///< passes until that of the next gather, if there is one
    std::size_t gather_layer = 0;
    int gather_repeat = 0;
  };
  /// Place of a stage in its order of passes, and the gathers that it has queued.
  struct Progress {
    std::vector<Pass> order;
    std::size_t next = 0;
    std::size_t gather_pass = 0;  ///< all passes before this one have their gathers queued
    std::size_t gather_layer = 0;
    int gather_repeat = 0;
    std::size_t awaited = nothing;  ///< index of the arrival that it waits for
    Seconds left{};  ///< least time of its remaining passes and of the ending, without traffic
    std::vector<Mark> marks{};
  };
  static constexpr auto nothing = static_cast<std::size_t>(-1);

  /// All passes of one kind of one chunk of a stage.
  struct Lane {
    const ChunkTimes* chunk = nullptr;
    std::array<PassTimes, 4> alone{};  ///< [whole][paired]
    std::size_t first_arrival = 0;     ///< index of the arrival of micro-batch 0; the others follow
    bool receives = false;
    Seconds receive_time{};            ///< travel time of what it receives
    int receiver = -1;                 ///< stage that receives its output; -1: none
    std::size_t receiver_arrival = 0;  ///< index of the arrival of micro-batch 0 there
    Seconds send{};
  };

  static constexpr std::size_t index(int value) { return static_cast<std::size_t>(value); }
  void add_stage(int stage);
  void add_lane(int stage, int chunk, PassKind);
  void add_alone(Lane&, PassKind) const;
  Seconds least_time(int stage) const;
  void run_stage(int stage);
  void mark_rank(int stage, const Pass&);
  /// Returns false if the input has not arrived; the stage then waits for it.
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
    const std::vector<Mark>& all = progress_[index(stage)].marks;
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
