#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "sim/timeline/schedule.hpp"

namespace tofn {
inline namespace timeline {

/// Simulates the step as events on the streams of one rank of each stage: passes in the order of
/// the schedule, layer by layer if data communication overlaps them. The times are those of the
/// stage with the most to do. Sends occupy the link only and do not slow compute.
/// - `Bubble`: waiting for other stages. `Pipeline`: the part of it in which the input was on its
///   way. `Imbalance`: the part of it that equal stages would not have cost (none on the slowest
///   stage), and waiting for the slowest of `replicas`: rank_noise x expected maximum x the time
///   that its devices take by themselves, so that no faster link makes it longer.
/// - The time that compute loses to overlapped communication counts as that communication.
/// - `total` is the sum of the parts in their order, to the last bit.
/// Once all ranks and all transfers under way are in a state in which they were some micro-batches
/// before, rounds repeat: the round between is run once and counted as often as it comes.
StepTimes simulate(const StepWork&);
/// Returns the times of `simulate`, or nothing as soon as the step is certain to take longer than
/// `most`.
std::optional<StepTimes> simulate_up_to(const StepWork&, Seconds most);
/// Simulates the step with a sampled slowest replica instead of the expected one.
StepTimes simulate(const StepWork&, std::uint64_t seed);

/// Step times of each stage, without the noise of replicas.
std::vector<StepTimes> simulate_stages(const StepWork&);

/// Returns the times of `simulate` without events or allocations; exact with one stage. Of 100
/// random steps 99 are within 1 % of `simulate` with one chunk per stage, within 3.1 % interleaved
/// under 1F1B and 7 % under the other schedules, and within 8.6 % if chunks differ by a layer (11 %
/// under zero-bubble). Under zb-v, within 0.4 %, it runs the events of up to three micro-batches
/// per stage: tests/laws/closed_form_laws_test.cpp. This is no bound: of 460,000 steps one was 24 %
/// off, and of those with one chunk per stage 8 %. Sends do not queue in the closed form, and
/// `Pipeline` is the time that they add.
StepTimes closed_form(const StepWork&);

enum class Stream : std::uint8_t { Compute, Exchange, Data, Send };
inline constexpr std::array<std::pair<std::string_view, Stream>, 4> streams{
    {{"compute", Stream::Compute},
     {"exchange", Stream::Exchange},
     {"data", Stream::Data},
     {"send", Stream::Send}}};

/// One activity of a stream. `cause` is the span whose end let this one begin.
struct Span {
  int stage = 0;
  Stream stream = Stream::Compute;
  StepPart part = StepPart::Compute;
  PassKind kind = PassKind::Forward;
  int chunk = 0;
  int micro_batch = 0;
  const LayerTimes* layer = nullptr;  ///< null for sends and for work after the passes
  int cause = -1;                     ///< index of a span; -1: the start of the step
  Seconds start{};
  Seconds finish{};
};

/// All spans of a step, without the noise of replicas. They point into the StepWork, which must
/// outlive them.
struct Timeline {
  std::vector<StepTimes> stages;   ///< of each stage
  std::vector<Span> spans;         ///< the spans of each stream are in order
  std::vector<int> critical_path;  ///< spans from 0 to the end of the step, without gaps
};
Timeline record_timeline(const StepWork&);

/// Time on the critical path by stage and part; the sum is the length of the step.
std::vector<PartTimes> critical_path_times(const StepWork&);

/// Name of a span: `attention backward 3`, `send 3`.
std::string name_of(const Span&);

/// Writes Chrome's trace format (JSON object form), which Perfetto reads: stages as processes,
/// streams as threads, times in microseconds.
void write_trace(std::ostream&, const Timeline&);

}  // namespace timeline
}  // namespace tofn
