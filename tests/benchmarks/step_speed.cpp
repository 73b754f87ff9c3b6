// Measures a simulated step: events (passes, layers if data communication overlaps them,
// collectives, sends) per second, and microseconds a step, by events and by the closed form. Aims:
// 10 million events/s on one core, a data-parallel step of 96 layers under 1 ms, 64 stages x 512
// micro-batches under 50 ms. Run by hand: build/tests/step_speed
#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "tests/laws/step_works.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Microseconds of the fastest of several runs, which other processes disturb the least.
template <class F>
double fastest(int repeats, F f) {
  double best = 1e300;
  for (int i = 0; i < repeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    f();
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count());
  }
  return best;
}

/// Number of passes and sends, plus the layers and collectives of passes that run layer by layer.
double events(const StepWork& work, double layers_apart, double collectives) {
  const auto stages = static_cast<double>(work.stages.size());
  const auto chunks = static_cast<double>(work.stages.front().size());
  const double kinds = work.schedule == PipelineSchedule::ZeroBubble ? 3 : 2;
  const double sends = stages > 1 ? 2 * (stages * chunks - 1) * work.micro_batches : 0;
  return stages * chunks * work.micro_batches * kinds + sends + layers_apart + collectives;
}

void measure(const char* name, const StepWork& work, double layers_apart, double collectives) {
  Seconds sum;
  const double engine = fastest(20, [&] { sum += simulate(work).total; });
  const double form = fastest(20, [&] { sum += closed_form(work).total; });
  const double count = events(work, layers_apart, collectives);
  fmt::print("{:<44} {:>9.0f} {:>10.1f} {:>9.1f} {:>10.2f}   (sum {:.6g} s)\n", name, count, engine,
             count / engine, form, sum.base());
}

StepWork layered(int stages, int chunks, int micro_batches, int layers, PipelineSchedule schedule) {
  StepWork work = plain_work(stages, chunks, micro_batches, schedule);
  work.slowdown = uniform_slowdown(0.2);
  work.send.assign(work.stages.size(), Seconds{stages > 1 ? 0.01 : 0});
  for (auto& stage : work.stages)
    for (ChunkTimes& chunk : stage) {
      chunk.own_layers().front().count = layers;
      chunk.own_layers().front().backward.reduce = Seconds{1.5};
    }
  return work;
}

}  // namespace

int main() {
  fmt::print("{:<44} {:>9} {:>10} {:>9} {:>10}\n", "", "events", "events us", "M/s", "closed us");
  constexpr auto one = PipelineSchedule::OneForwardOneBackward;
  StepWork work = layered(1, 1, 1, 96, one);
  measure("data parallel, 96 layers", work, 2 * 96, 96);
  work.stages[0][0].own_layers()[0].forward.gather = Seconds{0.5};
  work.stages[0][0].own_layers()[0].backward.gather = Seconds{0.5};
  work.micro_batches = 8;
  measure("ZeRO 3, 96 layers x 8 micro-batches", work, 8 * 2 * 96, (8 * 2 + 1) * 96);
  measure("1F1B, 64 stages x 512 micro-batches", layered(64, 1, 512, 2, one), 64 * 2, 64 * 2);
  measure("interleaved 4 x, 64 x 512", layered(64, 4, 512, 1, one), 64 * 4, 64 * 4);
  measure("zero-bubble, 64 x 512", layered(64, 1, 512, 2, PipelineSchedule::ZeroBubble), 64 * 2,
          64 * 2);
}
