#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "sim/core/random.hpp"
#include "sim/timeline/timeline.hpp"
#include "tests/catch.hpp"

// Inputs of the laws of simulated steps.
namespace tofn::test {

inline Seconds part_of(const StepTimes& times, StepPart which) {
  return times.parts[static_cast<std::size_t>(which)];
}

/// Equal stages of equal chunks that only compute: one layer of 1 s forward and 2 s backward.
inline StepWork plain_work(int stages, int chunks, int micro_batches,
                           PipelineSchedule schedule = PipelineSchedule::OneForwardOneBackward) {
  LayerTimes layer;
  layer.name = "layer";
  layer.forward.compute = Seconds{1};
  layer.backward.compute = Seconds{2};
  layer.backward.weight_gradients = Seconds{1};
  StepWork work;
  work.stages.assign(
      static_cast<std::size_t>(stages),
      std::vector<ChunkTimes>(static_cast<std::size_t>(chunks), ChunkTimes{{layer}}));
  work.micro_batches = micro_batches;
  work.schedule = schedule;
  return work;
}

/// Properties that differ between kinds of random steps.
struct StepKind {
  PipelineSchedule schedule = PipelineSchedule::OneForwardOneBackward;
  bool interleaved = false;
  bool uneven = false;      ///< chunks differ by a layer
  bool vocabulary = false;  ///< the last chunk has a layer of another kind
  bool data = false;        ///< gradients are reduced
  bool sharded = false;     ///< parameters are gathered
  bool sends = false;
  bool reduces_each = false;     ///< gradients are reduced after each micro-batch
  bool waits_for_sends = false;  ///< compute stands still while they travel
  bool pairs = false;            ///< pairs of passes hide the experts' exchanges
  bool unlike_links = false;     ///< sends take up to three times as long between some stages
};

/// Calls f(random) for seeds 1 to 40, because one seed may satisfy a law by luck.
template <class F>
void for_each_seed(F f) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    f(random);
  }
}

inline int whole(Random& random, int low, int high) {
  return low + static_cast<int>(random.uniform() * (high - low + 1));
}

inline LayerPass random_pass(Random& random, const StepKind& kind, double compute, double data) {
  LayerPass pass;
  pass.compute = Seconds{compute};
  pass.attention = Seconds{0.3 * compute * random.uniform()};
  pass.launch = Seconds{0.02 * compute * random.uniform()};
  for (Seconds& time : pass.exposed) time = Seconds{0.1 * compute * random.uniform()};
  for (Seconds& time : pass.overlapped) time = Seconds{0.3 * compute * random.uniform()};
  if (kind.data) pass.reduce = Seconds{data};
  if (kind.sharded) pass.gather = Seconds{data / 2};
  return pass;
}

/// A random step of this kind that its schedule accepts; it has several chunks if the schedule
/// needs them.
inline StepWork random_work(Random& random, const StepKind& kind) {
  StepWork work;
  work.schedule = kind.schedule;
  const ChunkCount legal = traits_of(kind.schedule).chunks;
  const int stages = whole(random, kind.interleaved || legal.least > 1 ? 2 : 1, 12);
  const int drawn = kind.interleaved ? whole(random, 2, 4) : 1;
  const int chunks = legal.least > 1 ? std::min(std::max(drawn, legal.least), legal.most) : drawn;
  work.micro_batches = whole(random, 1, 6) * (kind.interleaved ? stages : whole(random, 1, 8));
  work.slowdown = {random.uniform(), random.uniform(), random.uniform()};
  work.data_overlap = random.uniform() < 0.7;
  work.gathers_each_micro_batch = random.uniform() < 0.5;
  if (kind.sends)
    work.send.assign(static_cast<std::size_t>(stages), Seconds{0.3 * random.uniform()});
  work.reduces_each_micro_batch = kind.reduces_each;
  work.send_overlap = !kind.waits_for_sends;
  work.pairs_passes = kind.pairs;
  if (kind.unlike_links)
    for (Seconds& send : work.send) send = (1 + 2 * random.uniform()) * send;
  LayerTimes layer{"layer", whole(random, 1, 8), {}, {}};
  const double data = (kind.sharded ? 1.5 : 4.0) * random.uniform();
  layer.forward = random_pass(random, kind, 1, data);
  layer.backward = random_pass(random, kind, 2, data);
  layer.backward.weight_gradients = Seconds{random.uniform() * 1.2};
  layer.forward.reduce = Seconds{};
  LayerTimes vocabulary = layer;
  vocabulary.name = "vocabulary";
  vocabulary.count = 1;
  for (int stage = 0; stage < stages; ++stage) {
    work.stages.emplace_back();
    for (int chunk = 0; chunk < chunks; ++chunk) {
      ChunkTimes times{{layer}};
      if (kind.uneven) times.own_layers()[0].count += whole(random, 0, 1);
      const ChunkPlacement placement = traits_of(kind.schedule).placement;
      const bool last = placement.virtual_stage(stages, {stage, chunk}) == stages * chunks - 1;
      if (kind.vocabulary && last) times.own_layers().push_back(vocabulary);
      work.stages.back().push_back(times);
    }
    work.after.push_back(Seconds{random.uniform()});
    work.optimizer.push_back(Seconds{random.uniform()});
  }
  return work;
}

}  // namespace tofn::test
