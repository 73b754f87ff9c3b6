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

/// The step as events on the streams of one rank of each stage: passes in the order of the
/// schedule, layer by layer where data communication overlaps them. The account is that of the
/// stage with the most to do. Sends occupy the link only: they do not slow compute.
/// - `Bubble`: waiting for other stages, `Pipeline`: that part of it in which the input was on its
///   way; `Imbalance`: that part of it which equal stages would not have cost (none on the slowest
///   stage), and waiting for the slowest of `replicas`: rank_noise x expected maximum x what its
///   devices take by themselves, so that no faster link makes it longer.
/// - What compute loses to overlapped communication counts as that communication.
/// - `total` is the sum of the parts in their order, to the last bit.
/// Once all ranks stand as they stood some micro-batches before, and so does what is underway, the
/// rounds between repeat: those are run once, and count as often as they come.
StepTimes simulate(const StepWork&);
/// The same, but absent as soon as it is certain that it takes longer than that.
std::optional<StepTimes> simulate_up_to(const StepWork&, Seconds most);
/// With a sampled slowest replica in place of the expected one.
StepTimes simulate(const StepWork&, std::uint64_t seed);

/// Each stage's own account, without the noise of replicas.
std::vector<StepTimes> simulate_stages(const StepWork&);

/// `simulate` without events and allocations; exact with one stage. Of 100 random steps 99 are
/// within 1 % of `simulate` with one chunk a stage, within 3.1 % interleaved under 1F1B and 7 %
/// under the other schedules, and where chunks differ by a layer within 8.6 % (11 % under
/// zero-bubble). Under zb-v, within 0.4 %, it runs the events of up to three micro-batches a stage:
/// tests/laws/closed_form_laws_test.cpp. That is no bound: of 460,000 one was 24 %
/// off, of those with one chunk a stage 8 %. Sends do not queue in it, and `Pipeline` is what they
/// add.
StepTimes closed_form(const StepWork&);

enum class Stream : std::uint8_t { Compute, Exchange, Data, Send };
inline constexpr std::array<std::pair<std::string_view, Stream>, 4> streams{
    {{"compute", Stream::Compute},
     {"exchange", Stream::Exchange},
     {"data", Stream::Data},
     {"send", Stream::Send}}};

/// One thing that a stream did. `cause`: the span that ended when this one could begin.
struct Span {
  int stage = 0;
  Stream stream = Stream::Compute;
  StepPart part = StepPart::Compute;
  PassKind kind = PassKind::Forward;
  int chunk = 0;
  int micro_batch = 0;
  const LayerTimes* layer = nullptr;  ///< none for sends and what follows the passes
  int cause = -1;                     ///< index of a span; -1: the start of the step
  Seconds start{};
  Seconds finish{};
};

/// All that happened, without the noise of replicas. Spans point into the StepWork, which must
/// outlive them.
struct Timeline {
  std::vector<StepTimes> stages;   ///< each stage's own account
  std::vector<Span> spans;         ///< of each stream in order
  std::vector<int> critical_path;  ///< spans without a gap between, from 0 to the end of the step
};
Timeline record_timeline(const StepWork&);

/// What the critical path is made of: time by stage and part, which sum to the step.
std::vector<PartTimes> critical_path_times(const StepWork&);

/// What a span is called: `attention backward 3`, `send 3`.
std::string name_of(const Span&);

/// Chrome's trace format (JSON object form), which Perfetto reads: stages as processes, streams as
/// threads, microseconds.
void write_trace(std::ostream&, const Timeline&);

}  // namespace timeline
}  // namespace tofn
