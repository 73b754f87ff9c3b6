#pragma once

#include <array>
#include <vector>

#include "sim/timeline/rank.hpp"

namespace tofn {
inline namespace timeline {

/// Runs the ranks of a pipeline, each as far as its inputs have come. Orders are fixed and every
/// time follows from earlier ones, so that whose turn it is does not matter to the result.
class Engine {
 public:
  Engine(const StepWork&, std::vector<Span>* spans);
  /// One rank per stage, its step done.
  const std::vector<Rank>& run();

 private:
  struct Arrival {
    Seconds time{-1};
    int span = -1;
  };
  /// Where a stage is in its order, and which gather it has queued.
  struct Progress {
    std::vector<Pass> order;
    std::size_t next = 0;
    std::size_t gather_pass = 0;  ///< the next gather is at or after these
    std::size_t gather_layer = 0;
    int gather_repeat = 0;
    std::size_t awaited = nothing;  ///< the arrival that it stands still for
  };
  static constexpr auto nothing = static_cast<std::size_t>(-1);

  void run_stage(int stage);
  void add_passes(const ChunkTimes&);
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
  std::size_t slot(int stage, const Pass&) const;
  int virtual_stage(int stage, const Pass&) const;
  int last_virtual_stage() const { return shape_.stages * shape_.chunks - 1; }
  /// How long what a stage receives for a pass travels.
  Seconds receive_time(int stage, const Pass&) const;
  const ChunkTimes& chunk(int stage, const Pass&) const;
  const PassTimes& undisturbed_pass(int stage, const Pass&) const;
  bool receives(int stage, const Pass&) const;
  LayerPass times_of(const LayerTimes&, const Pass&) const;

  const StepWork& work_;
  PipelineShape shape_;
  ChunkPlacement placement_;
  RankSettings settings_;
  std::vector<Seconds> sends_;  ///< [virtual stage] to the next one and back
  std::vector<Rank> ranks_;
  std::vector<Progress> progress_;
  std::vector<PassTimes> passes_;  ///< [stage][chunk][kind][whole][paired]
  std::vector<Arrival> arrivals_;  ///< [kind][stage][chunk][micro-batch]
  std::vector<int> ready_;         ///< stages that can go on
};

}  // namespace timeline
}  // namespace tofn
